import { isDeepStrictEqual } from 'node:util'
import { act } from '../../features/activity/service.ts'
import { currentPlan, monthName } from '../../features/catalogue/months.ts'
import { type FieldValues, fieldWords, isWholeField } from '../../features/catalogue/owners-fields.ts'
import { releaseField, selectFieldValues } from '../../features/catalogue/owners-fields-queries.ts'
import type { OwnersBook } from '../../features/catalogue/title-state-queries.ts'
import { followSource, setFields, titleNamed } from '../../features/catalogue/title-states.ts'
import { namePeople } from '../../features/catalogue/name-people-queries.ts'
import { refreshSearch } from '../../features/search/refresh.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import { refused, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'

type Format = 'audio_book' | 'e_book'

/** Fields that only one of the formats has. */
const ONLY_OF: Readonly<Record<string, Format>> = {
  narrators: 'audio_book',
  availableAsCard: 'audio_book',
  pages: 'e_book',
}

/** @throws 404, 422 naming the field that is wrong */
export async function changeFields(
  shop: Shop,
  staff: StaffCaller,
  slug: string,
  {
    format,
    values,
  }: { readonly format?: Format | undefined; readonly values: Readonly<Record<string, unknown>> },
): Promise<{ entry: number | null; what: string }> {
  const wanted = await checkedValues(values)
  for (const field of Object.keys(wanted)) await refusePlanned(shop, field)
  const books = await titleNamed(shop.db, { slug, ...(format ? { format } : {}) })
  if ('title' in wanted && books.some(({ isOfCatalogue }) => isOfCatalogue))
    throw unprocessable(
      'title',
      'A title of a catalogue is found again by its name: change it in the catalogue.',
    )
  return applyFields(
    shop,
    staff,
    slug,
    books.map((book) => ({ ...book, wanted })),
  )
}

/** In an edit's entry: the fields that followed their source until then. */
const NEWLY_SET = 'newlySet'

/** Values that were checked already. Writes only those that differ, as one act. */
export async function applyFields(
  shop: Shop,
  staff: StaffCaller,
  slug: string,
  books: readonly (Pick<OwnersBook, 'id' | 'format' | 'title' | 'setByOwner'> & {
    readonly wanted: FieldValues
  })[],
): Promise<{ entry: number | null; what: string }> {
  const before: Record<string, LogbookValue> = {}
  const after: Record<string, LogbookValue> = {}
  const changes: { readonly id: number; readonly values: FieldValues }[] = []
  for (const book of books) {
    const standing = (await selectFieldValues(shop.db, book.id)) ?? {}
    const own = Object.fromEntries(
      Object.entries(book.wanted).filter(
        ([field, value]) =>
          isWholeField(field) &&
          (ONLY_OF[field] ?? book.format) === book.format &&
          !isDeepStrictEqual(standing[field] ?? null, value),
      ),
    )
    if (Object.keys(own).length === 0) continue
    const key = `${book.format === 'audio_book' ? 'audiobook' : 'e-book'} ${slug}`
    before[key] = Object.fromEntries(
      Object.keys(own)
        .filter(isWholeField)
        .map((field) => [field, standing[field] ?? null]),
    )
    after[key] = { ...own, [NEWLY_SET]: Object.keys(own).filter((field) => !book.setByOwner.includes(field)) }
    changes.push({ id: book.id, values: own })
  }
  const fields = [...new Set(changes.flatMap((change) => Object.keys(change.values)))]
  if (fields.length === 0) return { entry: null, what: 'Nothing was different' }
  const what = `Changed ${fields.map(fieldWords).join(', ')} of ${books[0]!.title}`
  const { entry } = await act(shop, staff, {
    kind: 'titles edit',
    about: `title ${slug}`,
    what,
    before,
    after,
    carryOut: () => writeFields(shop, changes),
  })
  return { entry, what }
}

async function writeFields(
  shop: Shop,
  changes: readonly { readonly id: number; readonly values: FieldValues }[],
): Promise<void> {
  for (const { id, values } of changes) await setFields(shop.db, id, values)
  await namePeople(shop.db)
  await refreshSearch(shop.db)
}

/** Undoes an edit; fields that it took over follow their source again. @throws 422 if the fields were changed again */
export async function restoreFields(shop: Shop, before: LogbookValue, after: LogbookValue): Promise<void> {
  const changes: { id: number; values: FieldValues }[] = []
  const released: { id: number; field: string }[] = []
  const made = isRecord(after) ? after : {}
  for (const [key, values] of Object.entries(isRecord(before) ? before : {})) {
    const [book] = await titleNamed(shop.db, {
      slug: key.slice(key.indexOf(' ') + 1),
      format: key.startsWith('audiobook ') ? 'audio_book' : 'e_book',
    })
    if (!book || !isRecord(values)) continue
    const standing = (await selectFieldValues(shop.db, book.id)) ?? {}
    const now = made[key]
    for (const field of Object.keys(values).filter(isWholeField)) {
      await refusePlanned(shop, field)
      if (!isSame(field, standing[field], isRecord(now) ? now[field] : null))
        throw refused(`The ${fieldWords(field)} of ${book.title} has changed since.`)
    }
    changes.push({ id: book.id, values })
    const newlySet = isRecord(now) ? now[NEWLY_SET] : undefined
    if (Array.isArray(newlySet))
      for (const field of newlySet.filter(isText)) released.push({ id: book.id, field })
  }
  await writeFields(shop, changes)
  await shop.db.transaction(async (tx) => {
    for (const { id, field } of released) await releaseField(tx, id, field)
  })
}

/** Series get their address when they are stored. */
const isSame = (field: string, standing: LogbookValue | undefined, made: LogbookValue | undefined): boolean =>
  field === 'series'
    ? JSON.stringify(namesOf(standing)) === JSON.stringify(namesOf(made))
    : isDeepStrictEqual(standing ?? null, made ?? null)
const namesOf = (value: LogbookValue | undefined) =>
  Array.isArray(value)
    ? value.map((each) => (isRecord(each) ? [each.title, each.number ?? null] : each))
    : value

export async function followFields(
  shop: Shop,
  staff: StaffCaller,
  slug: string,
  { format, field }: { readonly format?: Format | undefined; readonly field: string },
): Promise<{ entry: number; what: string }> {
  const books = await titleNamed(shop.db, { slug, ...(format ? { format } : {}) })
  const owned = books.filter((book) =>
    field === 'state' ? book.stateByCommand !== null : book.setByOwner.includes(field),
  )
  await refusePlanned(shop, field)
  const known =
    field === 'state' || isWholeField(field)
      ? field
      : /^chapter [1-9]\d*$/.test(field)
        ? (`chapter ${Number(field.slice(8))}` as const)
        : undefined
  if (!known || owned.length === 0)
    throw refused('This was not changed here, so there is nothing to take back.')
  const what = `Took the folder’s ${fieldWords(field)} for ${books[0]!.title}`
  const { entry } = await act(shop, staff, {
    kind: 'titles follow',
    about: `title ${slug}`,
    what,
    carryOut: async () => {
      for (const book of owned) await followSource(shop.db, { slug, format: book.format }, known)
      await refreshSearch(shop.db)
    },
  })
  return { entry, what }
}

/** @throws 422 for a mark that a month's plan sets */
async function refusePlanned(shop: Shop, field: string): Promise<void> {
  if (field !== 'edition' && field !== 'secondEdition') return
  const plan = await currentPlan(shop)
  if (plan)
    throw unprocessable(
      field,
      `What ${monthName(plan.month)} shows is planned under Titles, Months: change it there.`,
    )
}

const isRecord = (value: LogbookValue | undefined): value is { readonly [key: string]: LogbookValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text = (most: number) => (value: unknown) =>
  typeof value === 'string' && value.length <= most ? value.trim() || null : undefined
const isText = (value: unknown): value is string => typeof value === 'string'
const names = (most: number) => (value: unknown) =>
  Array.isArray(value) && value.length <= most && value.every((each) => isText(each) && each.length <= 300)
    ? [
        ...new Set(
          value
            .filter(isText)
            .map((each) => each.trim().replaceAll(/\s+/g, ' '))
            .filter(Boolean),
        ),
      ]
    : undefined
const yesNo = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const date = (value: unknown) =>
  value === null || value === ''
    ? null
    : isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
      ? value
      : undefined
const whole = (most: number) => (value: unknown) =>
  value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most)
    ? value
    : undefined
const colour = (value: unknown) =>
  value === null || (isText(value) && /^#[\da-f]{6}$/i.test(value)) ? value : undefined

/** What each field may be. Undefined is a mistake. */
const CHECKS: Readonly<Record<string, (value: unknown) => LogbookValue | undefined>> = {
  title: (value) => text(300)(value) ?? undefined,
  summary: (value) => (isText(value) && value.length <= 40_000 ? value.trim() : undefined),
  metaDescription: text(400),
  metaKeywords: text(400),
  sampleText: text(40_000),
  bookseller(value) {
    const { booksellerWords, booksellerName } = recordOf(value)
    const [words, name] = [text(4_000)(booksellerWords ?? ''), text(200)(booksellerName ?? '')]
    return words === undefined || name === undefined
      ? undefined
      : { booksellerWords: words, booksellerName: name }
  },
  firstPublished: date,
  preorder: date,
  pages: whole(100_000),
  edition: yesNo,
  secondEdition: yesNo,
  memoir: yesNo,
  writersDilemma: yesNo,
  availableAsCard: yesNo,
  violence: yesNo,
  featuredPosition: whole(1_000),
  colours(value) {
    const { backgroundColour = null, containerColour = null, textColour = null } = recordOf(value)
    const given = [colour(backgroundColour), colour(containerColour), colour(textColour)]
    return given.includes(undefined)
      ? undefined
      : { backgroundColour: given[0]!, containerColour: given[1]!, textColour: given[2]! }
  },
  authors: names(50),
  narrators: names(50),
  tags: (value) => names(100)(value)?.toSorted(),
  translator: text(300),
  publisher: text(300),
  language: text(100),
  category: text(100),
  style: text(100),
  series(value) {
    if (!Array.isArray(value) || value.length > 20) return undefined
    const places = value.map(recordOf).map(({ slug, title, number, published, story }) => ({
      ...(isText(slug) ? { slug } : {}),
      title: isText(title) ? title.trim().slice(0, 300) : '',
      number: isText(number) && number.trim() !== '' ? number.trim().slice(0, 20) : null,
      ...(typeof published === 'number' ? { published } : {}),
      ...(typeof story === 'number' ? { story } : {}),
    }))
    return places.filter(({ title }) => title !== '')
  },
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object, whose values are checked
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

async function checkedValues(values: Readonly<Record<string, unknown>>): Promise<FieldValues> {
  // Loaded only here: the sanitiser is heavy.
  const { richText } = await import('../../features/catalogue/rich-text.ts')
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const checked = Object.hasOwn(CHECKS, field) ? CHECKS[field]!(value) : undefined
      if (checked === undefined)
        throw unprocessable(field, field === 'title' ? 'A title has a name.' : 'This can’t be stored.')
      const isRich = (field === 'summary' || field === 'sampleText') && isText(checked)
      return [field, isRich ? richText(checked) : checked]
    }),
  )
}
