import { readSetting, writeSetting } from './places.ts'
import type { PlacesDb } from './places-db.ts'
import { titleKey, type TitleFormat, type TitleKey } from './title-key.ts'

/**
 * Chapters of a title to store on the device, in listening order. An e-book counts as one chapter of no length.
 */
export interface ReadyTitle {
  /** Absent for audiobooks, and in plans stored by an earlier release. */
  readonly format?: TitleFormat
  readonly slug: string
  readonly title: string
  readonly begun: boolean
  readonly chapters: readonly { readonly chapter: number; readonly seconds: number; readonly bytes: number }[]
}
export type ReadyPlan = readonly ReadyTitle[]

export const keyOfReady = ({ format = 'audio', slug }: Pick<ReadyTitle, 'format' | 'slug'>): TitleKey =>
  titleKey(format, slug)

/** The listener's settings for automatic downloads on this device. */
export interface ReadyWish {
  readonly on: boolean
  readonly hours: number
  /** The space limit. */
  readonly megabytes: number
  /** Also download on metered connections, as far as the browser can detect them. */
  readonly anyNetwork: boolean
  /** The chapters that were last found to come next. */
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

/** Titles in the automatic download plan; they open offline as far as they are stored. */
export async function plannedTitles(db: PlacesDb): Promise<ReadonlySet<TitleKey>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of this device's own writing
  const wish = (await db.settings.get(NAME))?.value as Partial<ReadyWish> | undefined
  return new Set(wish?.on ? (wish.plan ?? []).map(keyOfReady) : [])
}

/** Returns a predicate for planned chapters, so that they aren't removed as unwanted. */
export async function plannedChapters(
  ownerUuid: string,
): Promise<(key: TitleKey, chapter: number) => boolean> {
  const { on, plan } = await readWish(ownerUuid)
  const wanted = new Set(
    on ? plan.flatMap((title) => title.chapters.map(({ chapter }) => `${keyOfReady(title)} ${chapter}`)) : [],
  )
  return (key, chapter) => wanted.has(`${key} ${chapter}`)
}
