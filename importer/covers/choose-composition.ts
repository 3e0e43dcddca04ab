import type { Composition } from './composition.ts'
import { flock, fold, initial, orbit, tide, window } from './drawings.ts'
import {
  branches,
  door,
  furrows,
  hills,
  kin,
  lamp,
  post,
  rails,
  rain,
  roofs,
  snow,
  strings,
} from './motifs.ts'
import { hash32 } from './random.ts'

export const COMPOSITIONS = {
  flock,
  tide,
  window,
  initial,
  fold,
  orbit,
  hills,
  roofs,
  lamp,
  rain,
  snow,
  strings,
  branches,
  rails,
  door,
  post,
  kin,
  furrows,
} satisfies Record<string, Composition>

export type CompositionName = keyof typeof COMPOSITIONS

export const COMPOSITION_NAMES = Object.keys(COMPOSITIONS).filter(
  (name): name is CompositionName => name in COMPOSITIONS,
)

const SUBJECTS: Partial<Record<CompositionName, RegExp>> = {
  flock:
    /\b(bird|bees?\b|wasp|swift|starling|owl|gull|goose|geese|swallow|butterfl|moth|bat|feather|wing|flight)/,
  tide: /\b(tide|tidal|sea\b|seas\b|seaside|ocean|harbour|port|fish|ship|boat|trawler|salt|coast|island|beach|river|canal|seal|swim|sail|skerr|ferry|ferries)/,
  window: /\b(room|hotel|guest|neighbour|home|kitchen|hospital|sleep|theatre|window)/,
  fold: /\b(map|atlas|paper|origami|translat|language|dictionar|forger|glass|machine|puzzle|newspaper|annual)/,
  orbit: /\b(time|clock|moon|star|astronom|space|planet|radio|engine|physics|science|instrument|hour)/,
  hills: /\b(mountain|hill|moor|walk|dune|desert|border|goat|shepherd|peat|bog|fox|wild|marram)/,
  roofs: /\b(village|town|city|cities|street|roof|chimney|parish|council|architect)/,
  lamp: /\b(lighthouse|lamp|lantern|light\b|candle|signal|keeper|fog)/,
  rain: /\b(rain|weather|storm|flood|thunder|umbrella|grief|drain)/,
  snow: /\b(snow|winter|ice|arctic|frost|ski|glacier|christmas|december)/,
  strings: /\b(music|piano|violin|orchestra|song|sing|band|bell|opera|choir|whistle|sound|silence|dance)/,
  branches: /\b(garden|orchard|tree|forest|wood|hedge|leaf|leaves|plant|grass|season|apple|botan)/,
  rails: /\b(rail|train|journey|station|stop|road|tram|bus|buses|travel|emigra|exile|timetable|cycl|bicycle)/,
  door: /\b(door|secret|ghost|crime|murder|detective|mystery|spies|spy|disappear|stranger|lock|key|stair|haunt|suspense)/,
  post: /\b(letter|post|mail|diar|telegram|correspond|envelope|ink)/,
  kin: /\b(mother|father|sister|brother|famil|marriage|friend|love|divorce|widow|childhood|grand|aunt|daughter|son\b|school)/,
  furrows:
    /\b(farm|field|harvest|work|ledger|bak|food|history|war|archaeolog|debt|strike|craft|rope|bureaucra)/,
}

export interface Subject {
  /** The audiobook and the e-book have the same slug, so they get the same drawing. */
  readonly slug: string
  readonly title: string
  readonly tags?: readonly string[]
  readonly locations?: readonly string[]
}

/** Most fitting first: by words of the title, then tags, then locations. The rest depend on the slug only. */
export function compositionsFor({ slug, title, tags = [], locations = [] }: Subject): CompositionName[] {
  const scored = COMPOSITION_NAMES.map((name) => {
    const subject = SUBJECTS[name]
    const speaksOf = (words: string) => subject?.test(words.toLowerCase()) === true
    const ofTags = tags.reduce((sum, tag, index) => sum + (speaksOf(tag) ? Math.max(2, 6 - index) : 0), 0)
    const score = (speaksOf(title) ? 8 : 0) + ofTags + (locations.some(speaksOf) ? 1 : 0)
    return { name, score, order: hash32(`${name} of ${slug}`) }
  })
  return scored
    .toSorted((one, other) => other.score - one.score || one.order - other.order)
    .map(({ name }) => name)
}

export const compositionAfter = (before: CompositionName | undefined, subject: Subject): CompositionName =>
  compositionsFor(subject).find((name) => name !== before)!
