import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type ShopFile, SHOP_PARTS } from '#contract/shop-details.ts'
import { errorCode } from '../../log/error-code.ts'
import { faintOf } from '../../settings/owners-colours.ts'
import { SHOP_FILE } from '../../settings/owners-details.ts'
import { iconsOf, logoOf, PictureRefused } from './pictures.ts'
import { checkShopFile } from './read-file.ts'

interface Interview {
  readonly say: (line: string) => void
  readonly ask: (question: string) => Promise<string>
}

type Answers = Record<string, unknown>

/** Checks each answer immediately. Values in the file are offered as defaults; keys without a question are kept. */
export async function newShop(folder: string, { say, ask }: Interview): Promise<ShopFile> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, SHOP_FILE)
  const answers = await standing(path)
  say(
    'An empty answer leaves things as they are in brackets, or goes on without; a minus sign takes something back.\n',
  )
  for (const question of QUESTIONS) {
    if (question.when && !question.when(answers)) continue
    await answer(question, answers, folder, { say, ask })
  }
  return write(path, answers)
}

/** `-` removes a value. @throws {@link PictureRefused} with all mistakes, before anything is written */
export async function shopOf(folder: string, given: Readonly<Record<string, string>>): Promise<ShopFile> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, SHOP_FILE)
  const answers = await standing(path)
  for (const question of QUESTIONS) {
    const text = given[question.option]?.trim()
    if (!text) continue
    const { read = (typed: string) => typed, picture } = question
    try {
      if (text === '-') setAt(answers, question, undefined)
      else setAt(answers, question, picture ? await brought(text, question, answers, folder) : read(text))
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw error
      throw new PictureRefused(`--${question.option}: ${text} ${error.message}.`)
    }
  }
  if (answers.name === undefined) throw new PictureRefused('A new shop needs at least --name "…".')
  const checked = checkShopFile(JSON.stringify(answers))
  if ('mistakes' in checked)
    throw new PictureRefused(checked.mistakes.map((mistake) => mistake.replace(/^line \d+: /, '')).join('\n'))
  return write(path, answers)
}

async function write(path: string, answers: Answers): Promise<ShopFile> {
  const file = checkShopFile(JSON.stringify(answers))
  if ('mistakes' in file) throw new Error(file.mistakes.join(' '))
  await writeFile(`${path}.new`, `${JSON.stringify(answers, null, 2)}\n`)
  await rename(`${path}.new`, path)
  return file.file
}

async function standing(path: string): Promise<Answers> {
  try {
    const text = await readFile(path, 'utf8')
    const read = checkShopFile(text)
    // The owner must fix a file with mistakes.
    if ('mistakes' in read) throw new PictureRefused(read.mistakes.join('\n'))
    return { ...read.file }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw error
  }
}

async function answer(question: Question, answers: Answers, folder: string, at: Interview): Promise<void> {
  const { asks, show = String, read = (text: string) => text, picture } = question
  for (;;) {
    const now = valueAt(answers, question)
    const given = (await at.ask(`${asks}${now === undefined ? '' : ` [${show(now)}]`} `)).trim()
    if (given === '' && (now !== undefined || question.at[0] !== 'name')) return
    if (given === '-' && question.at[0] !== 'name') return setAt(answers, question, undefined)
    const before = structuredClone(answers)
    try {
      const value = picture ? await brought(given, question, answers, folder) : read(given)
      setAt(answers, question, value)
      const mistakes = await mistakesOf(answers, question, at)
      if (mistakes.length === 0) return
      for (const mistake of mistakes) at.say(`  ${mistake}`)
    } catch (error) {
      if (!(error instanceof PictureRefused)) throw error
      at.say(`  ${given} ${error.message}.`)
    }
    for (const key of Object.keys(answers)) delete answers[key]
    Object.assign(answers, before)
  }
}

/** For a colour with too little contrast, offers the nearest sufficient one. */
async function mistakesOf(answers: Answers, question: Question, { ask }: Interview): Promise<string[]> {
  const [key, inner] = question.at
  const checked = checkShopFile(JSON.stringify({ name: 'A shop', ...answers }))
  if ('file' in checked) return []
  if (key === 'colours') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only mistakes left are of colours that can be read
    const colours = answers.colours as Record<string, string>
    const faint = /^#[0-9a-f]{6}$/i.test(colours[inner!] ?? '')
      ? faintOf(colours).find(({ which }) => which === inner)
      : undefined
    if (faint) {
      const offer = `  That is hard to read: ${faint.says}. ${faint.nearest} is the nearest that passes. Take it? [Y/n] `
      if (/^(y(es)?)?$/i.test((await ask(offer)).trim())) {
        colours[inner!] = faint.nearest
        return []
      }
      return ['Then another one, please.']
    }
  }
  return checked.mistakes.map((mistake) => mistake.replace(/^line \d+: /, ''))
}

async function brought(
  given: string,
  { at: [key] }: Question,
  answers: Answers,
  folder: string,
): Promise<string> {
  // As typed, or relative to the folder of `shop.json`.
  const from = existsSync(given) ? resolve(given) : resolve(folder, given)
  const bytes = await readFile(from).catch(() => {
    throw new PictureRefused('is not there')
  })
  if (key === 'logo') await logoOf(bytes)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name was asked for first
  else await iconsOf(bytes, answers as ShopFile)
  const name = `${key}.${basename(from).split('.').at(-1)!.toLowerCase()}`
  if (dirname(from) !== resolve(folder) || basename(from) !== name) await copyFile(from, join(folder, name))
  return name
}

function valueAt(answers: Answers, { at: [key, inner] }: Question): unknown {
  const value = answers[key]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the question says
  return inner === undefined ? value : (value as Answers | undefined)?.[inner]
}

function setAt(answers: Answers, { at: [key, inner] }: Question, value: unknown): void {
  if (inner === undefined) {
    if (value === undefined) delete answers[key]
    else answers[key] = value
    return
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the question says
  const group = { ...(answers[key] as Answers | undefined) }
  if (value === undefined) delete group[inner]
  else group[inner] = value
  if (Object.keys(group).length > 0) answers[key] = group
  else delete answers[key]
}

interface Question {
  readonly at: readonly [key: string, inner?: string]
  readonly asks: string
  readonly option: string
  readonly when?: (file: Partial<ShopFile>) => boolean
  readonly read?: (answer: string) => unknown
  readonly show?: (value: unknown) => string
  readonly picture?: true
}

const listOf = {
  read: (answer: string) =>
    answer
      .split(';')
      .map((line) => line.trim())
      .filter(Boolean),
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `read` made
  show: (value: unknown) => (value as string[]).join('; '),
}
const partsOf = {
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
const noticeOf = {
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
const placesOf = {
  read: (answer: string) =>
    listOf.read(answer).map((each) => {
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
    ...listOf,
  },
  { at: ['seller', 'vatNumber'], option: 'vat-number', asks: 'Their VAT number:' },
  { at: ['help', 'mail'], option: 'help-mail', asks: 'Where do people who need help write to?' },
  { at: ['help', 'telephone'], option: 'help-telephone', asks: 'And which number do they ring?' },
  {
    at: ['social'],
    option: 'social',
    asks: 'Where else are you? Name and address, separated by a semicolon (Mastodon https://…; Instagram https://…):',
    ...placesOf,
  },
  {
    at: ['banner'],
    option: 'banner',
    asks: 'One line above every shelf: words and a colon, a link’s words, its address (New this week: six for the train /browse):',
    ...noticeOf,
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
    ...partsOf,
  },
  {
    at: ['journal'],
    option: 'journal',
    when: ({ parts: { journal = true } = {} }) => journal,
    asks: 'What is your journal called? Without an answer, Journal:',
  },
  { at: ['zone'], option: 'zone', asks: 'Your time zone, such as Europe/London:' },
]
