import {
  type Change,
  doneSoFar,
  type OwnersCommand,
  ownersCommand,
  type Shown,
  textOf,
  type Typed,
} from '../commands/owners-command.ts'
import { counted } from '../commands/table.ts'
import { type State, STATES } from '../features/catalogue/state-rows.ts'
import {
  deleteTitle,
  setPrice,
  setState,
  type Title,
  titleNamed,
  whyNot,
} from '../features/catalogue/states.ts'
import { formatPounds } from '../format.ts'
import { BadSetting } from '../settings/config.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../wire/refusals.ts'
import { readReplacement, replaceFile } from './replace-file.ts'

const USAGE = `Usage: npm run titles -- show SLUG
       npm run titles -- price SLUG POUNDS [--member POUNDS] --because WHY
       npm run titles -- state SLUG draft|listed|on-sale|retired --because WHY
       npm run titles -- replace-file SLUG FILE [--chapter 3] --because WHY
       npm run titles -- delete SLUG --because WHY

show          what it costs, what it is, who has it (in number), and where it came from
price         what it costs from now on; members pay 80% of it, unless --member says otherwise
state         draft: nobody sees it. listed: it has its page and stands in lists, and cannot be bought. retired: it is in
              no list and cannot be bought; who owns it keeps it for ever. Each holds until this command says otherwise,
              whatever is imported. on-sale: what its book.json or its catalogue says decides again
replace-file  the sound of a chapter (MP3, M4A), or the e-book’s file (EPUB), for everybody who has it
delete        removes a title that nobody owns and that is in no order; its folder would bring it in again

  --format  audiobook or e-book: one of the two formats of the title; both without it`

const FORMATS: Readonly<Record<string, Title['format']>> = { audiobook: 'audio_book', 'e-book': 'e_book' }
const WORDS = { audio_book: 'audiobook', e_book: 'e-book' } as const

export const TITLES: OwnersCommand = {
  name: 'titles',
  usage: USAGE,
  options: { format: { type: 'string' }, member: { type: 'string' }, chapter: { type: 'string' } },
  verbs: {
    show: (shop, typed) => of(typed, 0, (title) => show(shop, title)),
    price: (shop, typed) =>
      of(typed, 1, (title, pounds) => price(shop, title, minorOf(pounds), textOf(typed, 'member'))),
    state: (shop, typed) => of(typed, 1, (title, state) => changeState(shop, title, state)),
    'replace-file': (shop, typed) =>
      of(typed, 1, (title, file) => replace(shop, title, file, textOf(typed, 'chapter'))),
    delete: (shop, typed) => of(typed, 0, (title) => remove(shop, title)),
  },
}

/** Undefined where the words are not a slug and so many more. */
function of<T>(typed: Typed, more: number, work: (title: Title, word: string) => T): T | undefined {
  const [slug, word = '', ...others] = typed.words
  if (!slug || others.length > 0 || typed.words.length !== 1 + more) return undefined
  const said = textOf(typed, 'format')
  const format = said === undefined ? undefined : FORMATS[said]
  if (said !== undefined && !format) throw new BadSetting(`--format is audiobook or e-book, not “${said}”.`)
  return work({ slug, ...(format ? { format } : {}) }, word)
}

function minorOf(pounds: string): number {
  if (!/^\d{1,4}(\.\d\d)?$/.test(pounds)) throw new BadSetting(`A price is written 9.99, not “${pounds}”.`)
  return Math.round(Number(pounds) * 100)
}

type Book = Awaited<ReturnType<typeof titleNamed>>[number]

const nameOf = ({ title, format }: Pick<Book, 'title' | 'format'>): string => `${title} (${WORDS[format]})`

async function show(shop: Shop, title: Title): Promise<Shown> {
  const books = await titleNamed(shop.db, title)
  const done = await doneSoFar(shop, { about: `title ${title.slug}` })
  return {
    lines: [
      ...books.flatMap((book) => [
        nameOf(book),
        `  ${formatPounds(book.priceMinor)}${book.memberPriceMinor === null ? '' : `, ${formatPounds(book.memberPriceMinor)} for members`}, ${stateWords(book)}`,
        `  ${book.format === 'audio_book' ? `${counted(book.chapters, 'chapter')}, ` : ''}owned by ${counted(book.owners, 'person', 'people')}`,
        ...(book.importedFrom ? [`  From ${book.importedFrom}`] : []),
      ]),
      ...done.lines,
    ],
    json: { books, logbook: done.json },
  }
}

function stateWords(book: Book): string {
  if (book.stateByCommand) return `${book.stateByCommand} by a command`
  const lacks = whyNot(book)
  return lacks.length === 0 ? 'on sale' : `not on sale: ${lacks.join(', ')}`
}

/** What the next import would do to a change, where a folder brought the title in. */
const untilImported = (books: readonly Book[], what: string): string[] =>
  books.some(({ importedFrom }) => importedFrom)
    ? [
        `Change ${what} where it was imported from, too: ${books[0]!.importedFrom}. The next import brings the old one back otherwise.`,
      ]
    : []

async function price(
  shop: Shop,
  title: Title,
  priceMinor: number,
  member: string | undefined,
): Promise<Change> {
  const memberPriceMinor = member === undefined ? null : minorOf(member)
  if (memberPriceMinor !== null && memberPriceMinor > priceMinor)
    throw new BadSetting('Members never pay more than others.')
  const books = await titleNamed(shop.db, title)
  return {
    about: `title ${title.slug}`,
    what: `${formatPounds(priceMinor)} in place of ${books.map((book) => formatPounds(book.priceMinor)).join(' and ')}`,
    will: [
      ...books.map(
        (book) =>
          `${nameOf(book)} costs ${formatPounds(priceMinor)} from now on, ${book.published ? `${formatPounds(book.priceMinor)} before` : 'and had no price before'}.`,
      ),
      'Who has it in a bag sees the new price there. Who is paying at this moment pays what they were shown.',
      ...untilImported(books, 'the price'),
    ],
    carryOut: async () => {
      const after = await setPrice(shop.db, title, { priceMinor, memberPriceMinor })
      return {
        lines: after.map((book) => `${nameOf(book)}: ${formatPounds(book.priceMinor)}, ${stateWords(book)}.`),
        json: after,
      }
    },
  }
}

async function changeState(shop: Shop, title: Title, said: string): Promise<Change> {
  const state = STATES.find((each) => each === said)
  if (!state) throw new BadSetting(`A title is ${STATES.join(', ')}, not “${said}”.`)
  const books = await titleNamed(shop.db, title)
  return {
    about: `title ${title.slug}`,
    what: `${state} from now on`,
    will: books.map((book) => `${nameOf(book)} ${WILL[state]}`),
    carryOut: async () => {
      const after = await setState(shop.db, title, state)
      return {
        lines: after.map((book) =>
          book.lacks.length > 0
            ? `${nameOf(book)} is not on sale: ${book.lacks.join(', ')}.`
            : `${nameOf(book)} is ${state} now.`,
        ),
        json: after,
      }
    },
  }
}

const WILL: Readonly<Record<State, string>> = {
  draft: 'is seen by nobody from now on.',
  listed: 'keeps its page and its place in lists, and cannot be bought from now on.',
  'on-sale':
    'is what its file says again, and can be bought where that has a price and something to deliver.',
  retired: 'leaves all lists and cannot be bought from now on. Who owns it keeps it.',
}

async function replace(
  shop: Shop,
  title: Title,
  path: string,
  typedChapter: string | undefined,
): Promise<Change> {
  const file = await readReplacement(path)
  const format = file.extension === 'epub' ? 'e_book' : 'audio_book'
  const book = (await titleNamed(shop.db, title)).find((each) => each.format === format)
  if (!book) throw refused(`${title.slug} is no ${WORDS[format]}.`)
  const chapter = format === 'e_book' ? null : Number(typedChapter ?? 0)
  if (chapter !== null && !(chapter >= 1 && chapter <= book.chapters))
    throw refused(`Say which chapter, with --chapter 1 to ${book.chapters}.`)
  const what = chapter === null ? 'its file' : `the sound of chapter ${chapter}`
  return {
    about: `title ${title.slug}`,
    what: `replaced ${what}`,
    will: [
      `${nameOf(book)}: ${what} becomes ${path}, for ${counted(book.owners, 'person', 'people')} who ${book.owners === 1 ? 'owns' : 'own'} it and for whoever buys it.`,
      'Copies that were downloaded stay as they are until they are fetched again.',
      ...untilImported([book], 'the file'),
    ],
    carryOut: async () => {
      await replaceFile(shop, { bookId: book.id, chapter }, path, file)
      return { lines: ['It is replaced.'], json: { sha256: file.sha256, durationMs: file.durationMs } }
    },
  }
}

async function remove(shop: Shop, title: Title): Promise<Change> {
  const books = await titleNamed(shop.db, title)
  return {
    about: `title ${title.slug}`,
    what: 'deleted',
    will: books.map((book) => `${nameOf(book)} is deleted for good. Its folder would bring it in again.`),
    carryOut: async () => {
      const gone = await deleteTitle(shop.db, title)
      return { lines: gone.map((book) => `${nameOf(book)} is deleted.`), json: gone }
    },
  }
}

// Last, so that all above it is there.
if (import.meta.main) await ownersCommand(TITLES)
