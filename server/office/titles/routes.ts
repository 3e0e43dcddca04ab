import * as contract from '#contract/office/titles.ts'
import type { ListedTitle } from '#contract/office/titles.ts'
import { selectPriceChanges } from '../../features/catalogue/price-changes-queries.ts'
import { stopPriceChange } from '../../features/catalogue/price-changes.ts'
import { currentPlan, monthsOf } from '../../features/catalogue/months.ts'
import {
  chaptersIn,
  selectFieldValues,
  selectSourceValues,
} from '../../features/catalogue/owners-fields-queries.ts'
import { deleteTitle, titleNamed } from '../../features/catalogue/title-states.ts'
import { memberPrice } from '../../features/prices/pricing.ts'
import { act } from '../../features/activity/service.ts'
import { notFound, unprocessable, unreadable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Shop } from '../../shop.ts'
import { exportList } from '../csv.ts'
import { readParts } from '../list-query.ts'
import { readPlace, writePlace } from '../keyset.ts'
import type { LoadImporter } from '../importer.ts'
import { drawCover, setCover } from './cover.ts'
import { changeFields, followFields } from './fields.ts'
import { changeChapters, removeText, setText } from './files.ts'
import { planPrices, setPrices } from './prices.ts'
import {
  countOfficeTitles,
  isTitlesBy,
  type OfficeTitle,
  PLACE_VALUES,
  selectOfficeTitles,
  selectSourceOfBook,
  selectVocabulary,
  type TitleSorting,
} from './queries.ts'
import { planStates, setStates } from './states.ts'

export function registerOfficeTitles(server: ApiServer, importer: LoadImporter): void {
  const { shop } = server

  serve(server, contract.listTitles, async ({ query: { after, limit = 50, sort, part, ...filter } }) => {
    const sorting = sortingOf(sort)
    const place = readPlace(after, { value: PLACE_VALUES[sorting.key], id: 'whole' })
    const now = shop.clock.now()
    const [found, totals] = await readParts(
      part,
      () => selectOfficeTitles(shop.db, filter, { sorting, after: place, limit: limit + 1, now }),
      async () => ({ total: await countOfficeTitles(shop.db, filter), sums: {} }),
    )
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      rows: rows.map((row) => listed(shop, row)),
      next: last ? writePlace({ value: last.value, id: String(last.id) }) : null,
      ...totals,
    }
  })

  serve(server, contract.exportTitles, async ({ query: { sort, ...filter }, ...call }) => {
    const sorting = sortingOf(sort)
    const now = shop.clock.now()
    return exportList(shop, call, {
      list: 'titles',
      count: await countOfficeTitles(shop.db, filter),
      fetchPage: (after, limit) => selectOfficeTitles(shop.db, filter, { sorting, after, limit, now }),
      placeOf: ({ id, value }) => ({ id: String(id), value }),
      head: [
        'Title',
        'Authors',
        'Format',
        'Publisher',
        'ISBN',
        'State',
        'Missing',
        'Price £',
        'Members £',
        'Sold in 30 days',
        'Set here',
      ],
      cells: (row) => {
        const title = listed(shop, row)
        return [
          title.title,
          title.authors,
          title.format === 'e_book' ? 'e-book' : 'audiobook',
          title.publisher,
          title.isbn ?? '',
          title.state,
          title.missing.join(', '),
          pounds(title.priceMinor),
          pounds(title.memberMinor),
          title.sold,
          title.setByOwner.join(', '),
        ]
      },
    })
  })

  serve(server, contract.planPrices, async ({ body }) => {
    const { rows, touches, shownMinor, startsLater } = await planPrices(shop, body)
    return { rows, touches, shownMinor, startsLater }
  })
  serve(server, contract.setPrices, ({ body, staff }) => setPrices(shop, staff, body))
  serve(server, contract.planStates, async ({ body }) => {
    const { rows, touches } = await planStates(shop, body)
    return { rows: [...rows], touches: [...touches] }
  })
  serve(server, contract.setStates, ({ body, staff }) => setStates(shop, staff, body))

  serve(server, contract.getTitle, async ({ params: { slug } }) => {
    const found = await selectOfficeTitles(
      shop.db,
      { slug },
      { sorting: { key: 'added', isDescending: false }, limit: 2, now: shop.clock.now() },
    )
    if (found.length === 0) throw notFound()
    const books = await Promise.all(found.map((row) => edited(shop, row)))
    return {
      slug,
      books: books.toSorted((a, b) => a.format.localeCompare(b.format)),
      months: await monthsOf(shop, slug),
      isMonthPlanned: (await currentPlan(shop)) !== undefined,
      ...(await selectVocabulary(shop.db)),
    }
  })
  serve(server, contract.changeTitle, ({ params: { slug }, body, staff }) =>
    changeFields(shop, staff, slug, body),
  )
  serve(server, contract.followFolder, ({ params: { slug }, body, staff }) =>
    followFields(shop, staff, slug, body),
  )
  serve(server, contract.setCover, async ({ params: { slug }, body, staff }) =>
    setCover(shop, await importer(), staff, slug, body),
  )
  serve(server, contract.drawCover, async ({ params: { slug }, body: { format }, staff }) =>
    drawCover(shop, await importer(), staff, slug, format),
  )
  serve(server, contract.changeChapters, ({ params: { slug }, body, staff }) =>
    changeChapters(shop, staff, slug, body),
  )
  serve(server, contract.setText, async ({ params: { slug }, body: { batch }, staff }) =>
    setText(shop, await importer(), staff, slug, batch),
  )
  serve(server, contract.removeText, ({ params: { slug }, staff }) => removeText(shop, staff, slug))
  serve(
    server,
    contract.deleteTitle,
    async ({ params: { slug }, body: { format, name, because }, staff }) => {
      const title = { slug, ...(format ? { format } : {}) }
      const [book] = await titleNamed(shop.db, title)
      if (name.trim().toLowerCase() !== book!.title.toLowerCase())
        throw unprocessable('name', `Type ${book!.title}.`)
      await act(shop, staff, {
        kind: 'titles delete',
        about: `title ${slug}`,
        what: `Deleted ${book!.title}${format ? ` (${format === 'e_book' ? 'e-book' : 'audiobook'})` : ''}`,
        because,
        carryOut: () => deleteTitle(shop.db, title),
      })
      return undefined
    },
  )
  serve(server, contract.endPriceChange, async ({ params: { id }, staff }) => {
    const { result } = await act(shop, staff, {
      kind: 'titles unschedule',
      about: 'prices',
      what: 'Ended a planned price',
      carryOut: () => stopPriceChange(shop, id),
    })
    return { what: result === 'ended' ? 'The price is as before' : 'The planned price is given up' }
  })
}

const coverAddress = (id: string | null): string | null =>
  id && `/media/covers/${id.slice(0, 2)}/${id}-330.webp`

function listed({ config }: Pick<Shop, 'config'>, row: OfficeTitle): ListedTitle {
  const {
    coverId,
    hasPrice,
    priceMinor,
    memberPriceMinor,
    value: _value,
    published: _published,
    ...rest
  } = row
  const { owners: _owners, ...title } = rest
  return {
    ...title,
    missing: [...row.missing],
    setByOwner: [...row.setByOwner],
    cover: coverAddress(coverId),
    priceMinor: hasPrice ? priceMinor : null,
    memberMinor: hasPrice
      ? memberPrice(priceMinor, memberPriceMinor, config.details.terms.memberDiscount)
      : null,
  }
}

async function edited(shop: Shop, row: OfficeTitle): Promise<contract.EditedBook> {
  const { id } = row
  const [values, says, source, changes] = await Promise.all([
    selectFieldValues(shop.db, id),
    selectSourceValues(shop.db, id),
    selectSourceOfBook(shop.db, id),
    selectPriceChanges(shop.db, id),
  ])
  const { chapters, ...rest } = values ?? {}
  const { chapters: saidChapters, ...saysOfRest } = says
  return {
    ...listed(shop, row),
    values: rest,
    sourceSays: saidChapters ? { ...saysOfRest, chapters: chaptersIn(saidChapters).length } : saysOfRest,
    sourceState: source.state,
    isStateSetHere: source.stateByCommand !== null,
    isOfCatalogue: source.isOfCatalogue,
    importedFrom: source.importedFrom?.replace('/./', '/') ?? null,
    owners: row.owners,
    isBound: source.isBound,
    chapters: chaptersIn(chapters).map(({ title, soundId, durationMs }, index) => ({
      number: index + 1,
      title,
      sound: soundId,
      durationMs,
    })),
    changes: changes.map((change) => ({
      id: change.id,
      priceMinor: change.priceMinor,
      startsAt: change.startsAt.toISOString(),
      endsAt: change.endsAt?.toISOString() ?? null,
      isRunning: change.startedAt !== null,
    })),
  }
}

const pounds = (minor: number | null): string => (minor === null ? '' : (minor / 100).toFixed(2))

function sortingOf(sort = '-sold'): TitleSorting {
  const isDescending = sort.startsWith('-')
  const key = isDescending ? sort.slice(1) : sort
  if (!isTitlesBy(key)) throw unreadable('sort: The list has no such order.')
  return { key, isDescending }
}
