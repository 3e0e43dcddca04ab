import { keyOfReady, type ReadyPlan, type ReadyTitle } from '#storage/ready-plan.ts'
import type { TitleKey } from '#storage/title-key.ts'
import { bytes } from '#format/bytes.ts'
import { shortLength } from '#format/duration.ts'
import { plural } from '#format/plural.ts'

export interface Upcoming {
  readonly slug: string
  readonly title: string
  /** The chapter to continue with, and the place in it. */
  readonly from: { readonly chapter: number; readonly seconds: number } | undefined
  readonly chapters: readonly {
    readonly chapter: number
    readonly playtime: number
    readonly bytes: number
  }[]
}

/**
 * The chapters that fill the chosen hours, in playing order, within the free space. Chapters are not split:
 * the last one may exceed the hours, but never the space.
 */
export function planReady(
  upcoming: readonly Upcoming[],
  { hours, megabytes }: { hours: number; megabytes: number },
): { plan: ReadyPlan; full: boolean } {
  let left = hours * 3600
  let room = megabytes * 1_000_000
  const plan: ReadyTitle[] = []
  for (const { slug, title, from, chapters } of upcoming) {
    const begin = Math.max(0, from ? chapters.findIndex(({ chapter }) => chapter === from.chapter) : 0)
    const taken: ReadyTitle['chapters'][number][] = []
    let full = false
    for (const [index, chapter] of chapters.slice(begin).entries()) {
      if (left <= 0) break
      if (chapter.bytes > room) {
        full = true
        break
      }
      const seconds = Math.max(0, chapter.playtime - (index === 0 ? (from?.seconds ?? 0) : 0))
      taken.push({ chapter: chapter.chapter, seconds, bytes: chapter.bytes })
      left -= seconds
      room -= chapter.bytes
    }
    if (taken.length > 0) plan.push({ slug, title, begun: from !== undefined, chapters: taken })
    if (full || left <= 0) return { plan, full }
  }
  return { plan, full: false }
}

interface ReadyFigures {
  readonly readySeconds: number
  readonly missingSeconds: number
  readonly missingBytes: number
  readonly readyEBooks: number
  readonly missingEBooks: number
}

export function readyFigures(
  plan: ReadyPlan,
  isStored: (key: TitleKey, chapter: number) => boolean,
): ReadyFigures {
  const sums = { readySeconds: 0, missingSeconds: 0, missingBytes: 0, readyEBooks: 0, missingEBooks: 0 }
  for (const title of plan)
    for (const { chapter, seconds, bytes: size } of title.chapters) {
      const isHere = isStored(keyOfReady(title), chapter)
      if (title.format === 'ebook') sums[isHere ? 'readyEBooks' : 'missingEBooks'] += 1
      else if (isHere) sums.readySeconds += seconds
      else {
        sums.missingSeconds += seconds
        sums.missingBytes += size
      }
    }
  return sums
}

/** "the rest of The Salt Ledger, then The Customs House" */
export function planWords(plan: ReadyPlan): string {
  const names = plan.map(({ title, begun }, index) => (index === 0 && begun ? `the rest of ${title}` : title))
  const [first = '', second, ...more] = names
  if (!second) return first
  return more.length === 0 ? `${first}, then ${second}` : `${first}, then ${second} and ${more.length} more`
}

/** "3 h 20 m and 2 e-books"; empty for nothing. */
const amountWords = (seconds: number, eBooks: number): string =>
  [seconds > 0 ? shortLength(seconds) : [], eBooks > 0 ? plural(eBooks, 'e-book') : []].flat().join(' and ')

export type ReadyPhase = 'off' | 'looking' | 'getting' | 'ready' | 'waiting' | 'full' | 'failed'

export function readyWords(
  phase: ReadyPhase,
  plan: ReadyPlan,
  { readySeconds, missingSeconds, missingBytes, readyEBooks, missingEBooks }: ReadyFigures,
  online: boolean,
  /** Titles of the plan with missing files. */
  missing: ReadyPlan = plan,
): { head: string; more: string } {
  const ready = amountWords(readySeconds, readyEBooks)
  const here = ready ? `${ready} ready` : 'Nothing ready yet'
  if (phase === 'looking' && plan.length === 0) return { head: 'Working out what’s next', more: '' }
  if (plan.length === 0 && phase !== 'full') return { head: 'Nothing left to get ready', more: '' }
  if (missingSeconds === 0 && missingEBooks === 0 && plan.length > 0)
    return {
      head: here,
      more: `For the tunnel: ${planWords(plan)}.${phase === 'full' ? ' No room for more.' : ''}`,
    }
  if (phase === 'full')
    return {
      head: here,
      more: `No room for ${ready ? `more than ${ready}` : 'it'}.`,
    }
  if (!online) return { head: here, more: `When you’re back online: ${planWords(missing)}.` }
  if (phase === 'waiting') return { head: here, more: 'The rest when you’re on Wi-Fi.' }
  if (phase === 'failed') return { head: here, more: 'The rest didn’t come. Try again.' }
  const togo = missingBytes > 0 ? `, ${bytes(missingBytes)} to go` : ''
  return { head: here, more: `Getting ${amountWords(missingSeconds, missingEBooks)} more${togo}.` }
}
