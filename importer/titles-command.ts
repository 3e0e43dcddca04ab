import { readFile } from 'node:fs/promises'
import { Argument } from '@commander-js/extra-typings'
import { changeCommand, type Group, group, showCommand } from '#server/commands/command-line.ts'
import { type Change, doneSoFar, type Shown } from '#server/commands/frame.ts'
import { counted } from '#server/print/table.ts'
import { type State, STATES } from '#server/db/schema/catalogue.ts'
import {
  deleteTitle,
  followSource,
  setPrice,
  setState,
  setText,
  type Title,
  titleNamed,
  reasonsNotOnSale,
} from '#server/features/catalogue/title-states.ts'
import { fieldWords, isWholeField, type OwnersField } from '#server/features/catalogue/owners-fields.ts'
import { formatPounds } from '#server/format.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import { BadSetting } from '#server/settings/bad-setting.ts'
import type { Shop } from '#server/shop.ts'
import { refused } from '#server/http/http-errors.ts'
import { readReplacement, replaceFile } from './replace-file.ts'
import { richText } from '#server/features/catalogue/rich-text.ts'
import { FORMAT_WORDS, formatOption, listTitles, missingOption, slugOf, stateOption } from './titles-list.ts'
import { evenLoudness } from './titles-loudness.ts'
import { newPrice, priceFiltered, priceFromCsv } from './titles-prices.ts'
import { findPerson } from '#server/features/account/support.ts'
import { giveCopies, hasCopies, takeCopies } from '#server/features/library/free-copies.ts'

export const titlesCommand: Group = ({ show, change }) =>
  group('titles', [
    showCommand('list')
      .description('Lists all titles, with price, state, and what is missing')
      .addOption(formatOption())
      .addOption(stateOption())
      .addOption(missingOption())
      .option('--csv', CSV)
      .action((options) => show(options, (shop) => listTitles(shop, '', options))),
    showCommand('find')
      .description('Lists titles that contain all words in name, author, narrator, publisher, series or ISBN')
      .argument('<words...>')
      .addOption(formatOption())
      .addOption(stateOption())
      .addOption(missingOption())
      .option('--csv', CSV)
      .action((words, options) => show(options, (shop) => listTitles(shop, words.join(' '), options))),
    showCommand('show')
      .description('Shows price, state, number of owners, and where it was imported from')
      .argument('<title>', TITLE)
      .addOption(formatOption())
      .action((named, options) => show(options, toTitle(named, options, showTitle))),
    changeCommand('price')
      .description(
        'Sets the price; members get their usual discount, unless you set --member. To set many prices, use --filter, --missing or --state without a title, or with --csv a table with the columns slug, format, price and member_price, such as “list --csv” prints',
      )
      .argument('<words...>', 'TITLE POUNDS; only POUNDS with a filter; the table with --csv')
      .option('--member <pounds>', 'The price for members')
      .option('--filter <words>', 'All titles that contain these words, as find has them')
      .addOption(formatOption())
      .addOption(stateOption())
      .addOption(missingOption())
      .option('--csv', 'The prices are in a table')
      .action((words, options, command) => {
        const { csv, filter, missing, state, member } = options
        const isMany = [filter, missing, state].some((option) => option !== undefined)
        const [first = '', pounds = '', ...more] = words
        if (more.length > 0 || (pounds === '') !== (csv === true || isMany))
          command.error('error: name a title and its price')
        return change(
          options,
          csv
            ? (shop) => priceFromCsv(shop, first)
            : isMany
              ? (shop) => priceFiltered(shop, first, options)
              : toTitle(first, options, (shop, title) => price(shop, title, pounds, member)),
        )
      }),
    changeCommand('state')
      .description(
        'draft: invisible. listed: has a page and is in lists, but can’t be bought. retired: in no list and can’t be bought; its owners keep it. on-sale: also if its book.json or catalogue says otherwise; “follow” lets that decide again',
      )
      .argument('<title>', TITLE)
      .addArgument(new Argument('<state>').choices(STATES))
      .addOption(formatOption())
      .action((named, state, options) =>
        change(
          options,
          toTitle(named, options, (shop, title) => changeState(shop, title, state)),
        ),
      ),
    changeCommand('text')
      .description('Sets the name, the description, or the text for search engines')
      .argument('<title>', TITLE)
      .argument('<field>', Object.keys(TEXTS).join(', '))
      .argument('<words>', 'The text, or the name of a text file')
      .addOption(formatOption())
      .action((named, field, words, options) =>
        change(
          options,
          toTitle(named, options, (shop, title) => changeText(shop, title, field, words)),
        ),
      ),
    changeCommand('follow')
      .description('Takes what the folder or catalogue says again; imports decide from then on')
      .argument('<title>', TITLE)
      .argument('<field>', `price, state, ${Object.keys(TEXTS).join(', ')}, file or "chapter 3"`)
      .addOption(formatOption())
      .action((named, field, options) =>
        change(
          options,
          toTitle(named, options, (shop, title) => follow(shop, title, field)),
        ),
      ),
    changeCommand('replace-file')
      .description(
        'Replaces the sound of a chapter (MP3, M4A) or the file of the e-book (EPUB), for all owners',
      )
      .argument('<title>', TITLE)
      .argument('<file>')
      .option('--chapter <number>', 'The chapter', Number)
      .addOption(formatOption())
      .action((named, file, options) =>
        change(
          options,
          toTitle(named, options, (shop, title) => replace(shop, title, file, options.chapter)),
        ),
      ),
    changeCommand('loudness')
      .description(
        'Gives the chapters of an audiobook about the same loudness as other books (-18 LUFS), without loss: MP3 only, in steps of 1.5 dB. The originals are kept',
      )
      .argument('<title>', TITLE)
      .option('--undo', 'Goes back to the originals')
      .action((named, options) =>
        change(
          options,
          toTitle(named, {}, (shop, title) => evenLoudness(shop, title, options.undo === true)),
        ),
      ),
    changeCommand('give')
      .description('Gives an account a free copy, such as for the author or the press')
      .argument('<title>', TITLE)
      .argument('<address>')
      .addOption(formatOption())
      .action((named, address, options) =>
        change(
          options,
          toTitle(named, options, (shop, title) => giveTitle(shop, title, address)),
        ),
      ),
    changeCommand('take')
      .description('Takes a copy that you gave away again')
      .argument('<title>', TITLE)
      .argument('<address>')
      .addOption(formatOption())
      .action((named, address, options) =>
        change(
          options,
          toTitle(named, options, (shop, title) => takeTitle(shop, title, address)),
        ),
      ),
    changeCommand('delete')
      .description('Deletes a title without owners and orders; importing its folder creates it again')
      .argument('<title>', TITLE)
      .addOption(formatOption())
      .action((named, options) => change(options, toTitle(named, options, remove))),
  ]).description('Imports don’t change what you set here, until you use “follow”.')

const TITLE = 'A slug (sea-song), a name ("Sea Song"), or words that match only one title'
const CSV = 'For a spreadsheet: npm run --silent titles -- list --csv > titles.csv'
const WORDS = FORMAT_WORDS

const toTitle =
  <T>(
    named: string,
    { format }: { readonly format?: Title['format'] | undefined },
    work: (shop: Shop, title: Title) => Promise<T>,
  ) =>
  async (shop: Shop): Promise<T> =>
    work(shop, { slug: await slugOf(shop, named), ...(format ? { format } : {}) })

type Book = Awaited<ReturnType<typeof titleNamed>>[number]

const nameOf = ({ title, format }: Pick<Book, 'title' | 'format'>): string => `${title} (${WORDS[format]})`

async function showTitle(shop: Shop, title: Title): Promise<Shown> {
  const books = await titleNamed(shop.db, title)
  const done = await doneSoFar(shop, { about: `title ${title.slug}` })
  return {
    lines: [
      ...books.flatMap((book) => [
        nameOf(book),
        `  ${book.priceMinor === 0 && reasonsNotOnSale(book).includes('it has no price') ? 'no price' : formatPounds(book.priceMinor)}${book.memberPriceMinor === null ? '' : `, ${formatPounds(book.memberPriceMinor)} for members`}, ${stateWords(book)}`,
        `  ${book.format === 'audio_book' ? `${counted(book.chapters, 'chapter')}, ` : ''}owned by ${counted(book.owners, 'person', 'people')}`,
        ...(book.importedFrom ? [`  From ${folderOf(book.importedFrom)}`] : []),
        ...(book.setByOwner.length > 0
          ? [`  Set here, whatever is imported: ${book.setByOwner.map(fieldWords).join(', ')}`]
          : []),
      ]),
      ...done.lines,
    ],
    json: { books, logbook: done.json },
  }
}

function stateWords(book: Book): string {
  if (book.stateByCommand) return `${book.stateByCommand} by a command`
  const lacks = reasonsNotOnSale(book)
  return lacks.length === 0 ? 'on sale' : `not on sale: ${lacks.join(', ')}`
}

const folderOf = (importedFrom: string): string => importedFrom.replace('/./', '/')

const holds = (books: readonly Book[], { slug }: Title, field: string): string[] =>
  books.some(({ importedFrom }) => importedFrom)
    ? [
        `No import changes it back. npm run titles -- follow ${slug} ${field} hands it back to ${folderOf(books[0]!.importedFrom!)}.`,
      ]
    : []

async function price(shop: Shop, title: Title, pounds: string, member: string | undefined): Promise<Change> {
  const { priceMinor, memberPriceMinor } = newPrice(shop, pounds, member)
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
      ...holds(books, title, 'price'),
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

async function changeState(shop: Shop, title: Title, state: State): Promise<Change> {
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
  'on-sale': 'can be bought from now on, where it has a price and something to deliver.',
  retired: 'leaves all lists and cannot be bought from now on. Who owns it keeps it.',
}

const TEXTS = {
  title: 'title',
  summary: 'summary',
  'meta-description': 'metaDescription',
} as const
const isText = (said: string): said is keyof typeof TEXTS => Object.hasOwn(TEXTS, said)

async function changeText(shop: Shop, title: Title, said: string, words: string): Promise<Change> {
  if (!isText(said)) throw new BadSetting(`A text is ${Object.keys(TEXTS).join(', ')}, not “${said}”.`)
  const field = TEXTS[said]
  const books = await titleNamed(shop.db, title)
  if (field === 'title' && books.some(({ isOfCatalogue }) => isOfCatalogue))
    throw refused(
      'A title that a catalogue brought in is found again by its name: change it in the catalogue.',
    )
  const plain = (await readFile(words, 'utf8').catch(() => words)).trim()
  if (plain === '' && field === 'title') throw new BadSetting('A title has a name.')
  const text = field === 'summary' ? richText(plain) : plain.replaceAll(/\s+/g, ' ')
  return {
    about: `title ${title.slug}`,
    what: `another ${said}`,
    will: [
      ...books.map((book) => `${nameOf(book)} has another ${said} from now on:`),
      text,
      ...(field === 'title'
        ? ['Its address stays, and a cover that the shop drew keeps the name it has.']
        : []),
      ...holds(books, title, said),
    ],
    carryOut: async () => {
      const after = await setText(shop.db, title, field, text)
      await refreshSearch(shop.db)
      return { lines: after.map((book) => `${nameOf(book)} has its new ${said}.`), json: after }
    },
  }
}

async function follow(shop: Shop, title: Title, said: string): Promise<Change> {
  const field = fieldNamed(said)
  const books = await titleNamed(shop.db, title)
  const held = books.filter((book) =>
    field === 'state' ? book.stateByCommand : book.setByOwner.includes(field),
  )
  if (held.length === 0)
    throw refused(`You have not set the ${said} of ${title.slug} here, so nothing changes.`)
  return {
    about: `title ${title.slug}`,
    what: `${said} follows its source again`,
    will: held.map((book) =>
      field === 'state'
        ? `${nameOf(book)} is what its file says again, at once.`
        : `The ${said} of ${nameOf(book)} is what its folder or row said last, if it said something. Imports decide from now on${field === 'price' ? ': where they bring none, it goes off sale' : ''}.`,
    ),
    carryOut: async () => {
      const after = await followSource(shop.db, title, field)
      return { lines: after.map((book) => `${nameOf(book)}: the ${said} follows its source.`), json: after }
    },
  }
}

function fieldNamed(said: string): OwnersField | 'state' {
  const chapter = /^chapter ([1-9]\d*)$/.exec(said)?.[1]
  if (chapter) return `chapter ${Number(chapter)}`
  if (said === 'state' || isWholeField(said)) return said
  if (isText(said)) return TEXTS[said]
  throw new BadSetting(
    `What can be handed back is price, state, ${Object.keys(TEXTS).join(', ')}, file, "chapter 3" or another field that “show” lists, not “${said}”.`,
  )
}

async function replace(shop: Shop, title: Title, path: string, typedChapter = 0): Promise<Change> {
  const file = await readReplacement(path)
  const format = file.extension === 'epub' ? 'e_book' : 'audio_book'
  const book = (await titleNamed(shop.db, title)).find((each) => each.format === format)
  if (!book) throw refused(`${title.slug} is no ${WORDS[format]}.`)
  const chapter = format === 'e_book' ? null : typedChapter
  if (chapter !== null && !(chapter >= 1 && chapter <= book.chapters))
    throw refused(`Say which chapter, with --chapter 1 to ${book.chapters}.`)
  const what = chapter === null ? 'its file' : `the sound of chapter ${chapter}`
  return {
    about: `title ${title.slug}`,
    what: `replaced ${what}`,
    will: [
      `${nameOf(book)}: ${what} becomes ${path}, for ${counted(book.owners, 'person', 'people')} who ${book.owners === 1 ? 'owns' : 'own'} it and for whoever buys it.`,
      'Copies that were downloaded stay as they are until they are fetched again.',
      ...holds([book], { slug: title.slug }, chapter === null ? 'file' : `"chapter ${chapter}"`),
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

/** Such as an author’s or a press copy; it stays in the library like a bought one. */
async function giveTitle(shop: Shop, title: Title, address: string): Promise<Change> {
  const person = await findPerson(shop.db, address)
  const books = await titleNamed(shop.db, title)
  const names = books.map((book) => `${book.title} (${FORMAT_WORDS[book.format]})`).join(' and ')
  return {
    about: `title ${title.slug}`,
    userId: person.id,
    what: `gave ${names}`,
    will: [`${names} comes into the library of ${person.email}, free of charge. They are not written to.`],
    carryOut: async () => {
      const given = await giveCopies(shop, { userId: person.id, bookIds: books.map(({ id }) => id) })
      return { lines: [`It is in the library of ${person.email}.`], json: { given } }
    },
  }
}

/** A bought title is taken back by a refund. */
async function takeTitle(shop: Shop, title: Title, address: string): Promise<Change> {
  const person = await findPerson(shop.db, address)
  const books = await titleNamed(shop.db, title)
  const copies = { userId: person.id, bookIds: books.map(({ id }) => id) }
  if (!(await hasCopies(shop, copies)))
    throw refused(
      `${person.email} has no copy of ${books[0]!.title} that you gave. What they bought goes back by npm run orders -- refund.`,
    )
  return {
    about: `title ${title.slug}`,
    userId: person.id,
    what: `took back ${books[0]!.title}`,
    will: [
      `${books[0]!.title}, which you gave, leaves the library of ${person.email}. They are not written to.`,
    ],
    carryOut: async () => ({
      lines: ['It is taken back.'],
      json: { taken: await takeCopies(shop, copies) },
    }),
  }
}
