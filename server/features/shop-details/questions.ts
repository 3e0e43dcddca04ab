import { SHOP_PARTS, type ShopFile } from '#contract/shop-details.ts'

export interface Question {
  /** Path of the answer in `shop.json`. */
  readonly at: readonly [key: string, inner?: string]
  readonly asks: string
  /** The option for scripts. */
  readonly option: string
  readonly when?: (file: Partial<ShopFile>) => boolean
  /** Converts an answer to the value in the file, and back. */
  readonly read?: (answer: string) => unknown
  readonly show?: (value: unknown) => string
  readonly picture?: true
}

const list = {
  read: (answer: string) =>
    answer
      .split(';')
      .map((line) => line.trim())
      .filter(Boolean),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `read` made
  show: (value: unknown) => (value as string[]).join('; '),
}
/** The parts that the shop turns off; in the file each of them is `false`. */
const parts = {
  read: (answer: string) =>
    Object.fromEntries(
      answer
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((part) => [part, false]),
    ),
  show: (value: unknown) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the file has it
    Object.entries(value as NonNullable<ShopFile['parts']>)
      .filter(([, isOn]) => !isOn)
      .map(([part]) => part)
      .join(', '),
}
/** “A present you can hold: cards of our books /audiobooks-in-a-card”. */
const notice = {
  read(answer: string) {
    const [, words = answer, link = '', url = ''] = /^(.*?:)\s*(.*?)\s+(\S+)$/.exec(answer) ?? []
    return { words, link, url }
  },
  show(value: unknown) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the file has it
    const { words, link, url } = value as NonNullable<ShopFile['banner']>
    return `${words} ${link} ${url}`
  },
}
const places = {
  read: (answer: string) =>
    list.read(answer).map((each) => {
      const [, title = each, url = ''] = /^(.*?)\s+(\S+)$/.exec(each) ?? []
      return { title, url }
    }),
  show: (value: unknown) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `read` made
    (value as { title: string; url: string }[]).map(({ title, url }) => `${title} ${url}`).join('; '),
}

export const QUESTIONS: readonly Question[] = [
  { at: ['name'], option: 'name', asks: 'What is your shop called?' },
  {
    at: ['shortName'],
    option: 'short-name',
    asks: 'And in a few letters, for the icon on a phone (at most 16)?',
    when: ({ name = '' }) => name.length > 16,
  },
  { at: ['about'], option: 'about', asks: 'One sentence about it, for the end of every page:' },
  {
    at: ['logo'],
    option: 'logo',
    asks: 'Is there a logo? A file, SVG or PNG, on a transparent ground; without one the name is set in letters:',
    picture: true,
  },
  {
    at: ['icon'],
    option: 'icon',
    asks: 'A square picture for the icon, SVG or PNG; without one it is the first letter of the name:',
    picture: true,
  },
  { at: ['colours', 'accent'], option: 'accent', asks: 'The colour of links and marks, such as #14532d:' },
  {
    at: ['colours', 'button'],
    option: 'button',
    asks: 'The colour of the one button that matters, such as #f4c63a:',
  },
  { at: ['colours', 'paper'], option: 'paper', asks: 'The colour of the paper by day, such as #f6f6f3:' },
  { at: ['mail', 'sender'], option: 'mail', asks: 'Which address is your mail from?' },
  { at: ['mail', 'replyTo'], option: 'reply-to', asks: 'And where do answers go, if that is another one?' },
  {
    at: ['seller', 'name'],
    option: 'seller',
    asks: 'Who sells: the name of you or your company, for receipts:',
  },
  {
    at: ['seller', 'address'],
    option: 'address',
    asks: 'Their address, lines separated by a semicolon, with the country:',
    ...list,
  },
  { at: ['seller', 'vatNumber'], option: 'vat-number', asks: 'Their VAT number:' },
  { at: ['help', 'mail'], option: 'help-mail', asks: 'Where do people who need help write to?' },
  { at: ['help', 'telephone'], option: 'help-telephone', asks: 'And which number do they ring?' },
  {
    at: ['social'],
    option: 'social',
    asks: 'Where else are you? Name and address, separated by a semicolon (Mastodon https://…; Instagram https://…):',
    ...places,
  },
  {
    at: ['banner'],
    option: 'banner',
    asks: 'One line above every shelf: words and a colon, a link’s words, its address (New this week: six for the train /browse):',
    ...notice,
  },
  { at: ['newsletter', 'title'], option: 'newsletter', asks: 'What is your newsletter called?' },
  {
    at: ['newsletter', 'words'],
    option: 'newsletter-words',
    asks: 'What does your newsletter promise, in a sentence?',
  },
  {
    at: ['newsletter', 'often'],
    option: 'newsletter-often',
    asks: 'And how often does it come (“once a month”)?',
  },
  {
    at: ['parts'],
    option: 'without',
    asks: `Which of these does your shop do without: ${SHOP_PARTS.join(', ')}?`,
    ...parts,
  },
  {
    at: ['journal'],
    option: 'journal',
    when: ({ parts: { journal = true } = {} }) => journal,
    asks: 'What is your journal called? Without an answer, Journal:',
  },
  { at: ['zone'], option: 'zone', asks: 'Your time zone, such as Europe/London:' },
]
