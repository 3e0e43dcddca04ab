import { readSetting, writeSetting } from './places.ts'
import type { PlacesDb } from './places-db.ts'
import { titleKey, type TitleKey } from './title-key.ts'

/** Chapters of a title that are to be on the device, in the order in which they will be heard. */
export interface ReadyTitle {
  readonly slug: string
  readonly title: string
  readonly begun: boolean
  readonly chapters: readonly { readonly chapter: number; readonly seconds: number; readonly bytes: number }[]
}
export type ReadyPlan = readonly ReadyTitle[]

/** What a listener wants ready for the tunnel on this device. */
export interface ReadyWish {
  readonly on: boolean
  readonly hours: number
  /** As much as it may take. */
  readonly megabytes: number
  /** Also where every byte costs, as far as the browser can tell. */
  readonly anyNetwork: boolean
  /** What was last found to come next. */
  readonly plan: ReadyPlan
}

export const USUAL_WISH: ReadyWish = { on: false, hours: 6, megabytes: 500, anyNetwork: false, plan: [] }

const NAME = 'ready'

export const readWish = async (ownerUuid: string): Promise<ReadyWish> => ({
  ...USUAL_WISH,
  ...(await readSetting<Partial<ReadyWish>>(ownerUuid, NAME)),
})

export const writeWish = (ownerUuid: string, wish: ReadyWish): Promise<unknown> =>
  writeSetting(ownerUuid, NAME, wish)

/** The titles that are kept for the tunnel; they open without a network, as far as they are here. */
export async function plannedTitles(db: PlacesDb): Promise<ReadonlySet<TitleKey>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of this device's own writing
  const wish = (await db.settings.get(NAME))?.value as Partial<ReadyWish> | undefined
  return new Set(wish?.on ? (wish.plan ?? []).map(({ slug }) => titleKey('audio', slug)) : [])
}

/** Says of a chapter whether it waits for the tunnel, so that it is not cleared away as what nobody asked for. */
export async function plannedChapters(
  ownerUuid: string,
): Promise<(slug: string, chapter: number) => boolean> {
  const { on, plan } = await readWish(ownerUuid)
  const wanted = new Set(
    on ? plan.flatMap(({ slug, chapters }) => chapters.map(({ chapter }) => `${slug} ${chapter}`)) : [],
  )
  return (slug, chapter) => wanted.has(`${slug} ${chapter}`)
}
