/** Column names and their aliases in other catalogues. Matching ignores spaces, case and punctuation. */
export const COLUMNS = {
  title: ['booktitle', 'name'],
  subtitle: [],
  authors: ['author', 'writer', 'writers', 'creator', 'creators'],
  author_first: ['authorfirstname'],
  author_last: ['authorlastname', 'authorsurname'],
  narrators: ['narrator', 'reader', 'readers', 'readby'],
  translator: ['translators', 'translatedby'],
  publisher: ['publishername', 'imprint'],
  language: ['languages', 'lang'],
  style: [],
  category: [],
  locations: ['location', 'places'],
  tags: ['tag', 'genre', 'genres', 'bookshelves', 'shelves'],
  series: ['seriesname', 'seriestitle', 'collection'],
  series_number: ['seriesindex', 'seriesposition', 'numberinseries', 'volume', 'booknumber'],
  series_published: ['publicationorder'],
  series_story: ['storyorder', 'chronologicalorder'],
  keywords: ['keyword', 'subjects', 'subject', 'metakeywords'],
  summary: ['description', 'blurb', 'synopsis'],
  isbn: ['isbn13', 'isbn10', 'ean'],
  price: ['pricegbp', 'retailprice', 'rrp'],
  member_price: ['memberprice', 'subscriptionprice'],
  pages: ['pagecount', 'extent'],
  length: ['duration', 'runtime', 'lengthminutes'],
  total_time: ['totaltime'],
  total_seconds: ['totalseconds', 'durationseconds'],
  first_published: ['publicationdate', 'publishedon', 'datepublished', 'pubdate', 'year'],
  slug: [],
  format: ['type'],
  published: ['onsale', 'forsale'],
  state: [],
  preorder: ['comesout'],
  without_file: [],
  cover: ['image', 'picture', 'coverurl', 'coverimage'],
  blocked_countries: ['notforsalein'],
  rights: ['copyright'],
  librivox_id: [],
  gutenberg_id: [],
} as const satisfies Record<string, readonly string[]>

export type Column = keyof typeof COLUMNS

const PASSED_OVER = new Set([
  'narratorcount',
  'downloads',
  'lcc',
  'authorbirth',
  'authordeath',
  'urllibrivox',
  'urlarchive',
])

const NAMES = new Map<string, Column>(
  Object.entries(COLUMNS).flatMap(([column, others]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
    [plain(column), ...others].map((name) => [name, column as Column] as const),
  ),
)

export interface Header {
  readonly columns: readonly (Column | undefined)[]
  readonly unknown: readonly string[]
  readonly twice: readonly string[]
}

export function headerOf(cells: readonly string[]): Header {
  const taken = new Set<Column>()
  const unknown: string[] = []
  const twice: string[] = []
  const columns = cells.map((cell) => {
    const column = NAMES.get(plain(cell))
    if (column === undefined) {
      if (cell.trim() !== '' && !PASSED_OVER.has(plain(cell))) unknown.push(cell.trim())
      return undefined
    }
    if (taken.has(column)) {
      twice.push(cell.trim())
      return undefined
    }
    taken.add(column)
    return column
  })
  return { columns, unknown, twice }
}

function plain(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}
