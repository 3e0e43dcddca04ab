import { applyFields } from './fields.ts'
import { selectFieldValues } from '../../features/catalogue/owners-fields-queries.ts'
import { columnsIn, isObject } from '../../features/catalogue/owners-fields.ts'
import { titleNamed } from '../../features/catalogue/title-states.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import type { LogbookValue } from '../../db/schema/logbook.ts'
import type { Shop } from '../../shop.ts'
import type { Importer } from '../importer.ts'
import { selectLocations } from './queries.ts'

type Format = 'audio_book' | 'e_book'
type Colours = Readonly<Record<'backgroundColour' | 'containerColour' | 'textColour', string>>

/** @throws 404 for an unknown title, 422 for a picture that can't be a cover */
export async function setCover(
  shop: Shop,
  importer: Importer,
  staff: StaffCaller,
  slug: string,
  {
    format,
    base64,
    colours,
  }: { readonly format: Format; readonly base64: string; readonly colours?: Colours | undefined },
): Promise<{ entry: number | null; what: string }> {
  await titleNamed(shop.db, { slug, format })
  const coverId = await importer.storeCover(shop, Buffer.from(base64, 'base64'))
  return changeCover(shop, staff, slug, { format, coverId, colours })
}

/** The drawing that an import makes for a title without a picture. @throws 404 for an unknown title */
export async function drawCover(
  shop: Shop,
  importer: Importer,
  staff: StaffCaller,
  slug: string,
  format: Format,
): Promise<{ entry: number | null; what: string }> {
  const [book] = await titleNamed(shop.db, { slug, format })
  const values = (await selectFieldValues(shop.db, book!.id)) ?? {}
  const own = columnsIn('colours', values.colours ?? null)
  const house = importer.coloursFor(slug)
  const colours = own.backgroundColour
    ? {
        background: hexOf(own.backgroundColour),
        container: hexOf(own.containerColour),
        text: hexOf(own.textColour),
      }
    : house
  const coverId = await importer.drawCover(shop, {
    slug,
    title: book!.title,
    tags: namesIn(values.tags),
    locations: await selectLocations(shop.db, book!.id),
    author: namesIn(values.authors).join(', '),
    format,
    colours,
  })
  return changeCover(shop, staff, slug, {
    format,
    coverId,
    colours: own.backgroundColour
      ? undefined
      : {
          backgroundColour: house.background!,
          containerColour: house.container!,
          textColour: house.text!,
        },
  })
}

/** The colours are those of the title, in each of its formats. */
async function changeCover(
  shop: Shop,
  staff: StaffCaller,
  slug: string,
  {
    format,
    coverId,
    colours,
  }: { readonly format: Format; readonly coverId: string; readonly colours: Colours | undefined },
) {
  const books = await titleNamed(shop.db, { slug })
  const wanted = await Promise.all(
    books.map(async (book) => {
      const { cover } = (await selectFieldValues(shop.db, book.id)) ?? {}
      const coverAlt = isObject(cover) && cover.coverAlt ? cover.coverAlt : `Cover of ${book.title}`
      return {
        ...book,
        wanted: {
          ...(book.format === format ? { cover: { coverId, coverAlt } } : {}),
          ...(colours ? { colours: { ...colours } } : {}),
        },
      }
    }),
  )
  return applyFields(shop, staff, slug, wanted)
}

const hexOf = (value: LogbookValue | undefined): string | null => (typeof value === 'string' ? value : null)
const namesIn = (value: LogbookValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
