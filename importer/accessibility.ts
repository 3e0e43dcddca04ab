export interface Accessibility {
  /** schema.org values with their kind: `feature:alternativeText`. Sorted, without duplicates. */
  readonly codes: readonly string[]
  readonly summary: string | null
}

/** A book with more codes was tagged by a faulty program. */
const MOST_CODES = 60
const LONGEST_SUMMARY = 2_000

const PROPERTIES: Readonly<Record<string, string>> = {
  accessMode: 'mode',
  accessModeSufficient: 'sufficient',
  accessibilityFeature: 'feature',
  accessibilityHazard: 'hazard',
}

/** Reads `<meta property="schema:accessibilityFeature">alternativeText</meta>`, or EPUB 2's `name` and `content`. */
export function accessibilityOf(
  metas: readonly { readonly property: string; readonly value: string | undefined }[],
): Accessibility {
  const said = metas.flatMap(({ property, value }) =>
    value === undefined ? [] : [{ name: property.replace(/^schema:/, ''), value: value.trim() }],
  )
  const summary = said.find(({ name }) => name === 'accessibilitySummary')?.value
  return accessibility(
    said.flatMap(({ name, value }) => {
      const about = PROPERTIES[name]
      // Modes that are sufficient only together form one code: "textual,visual" is not "textual".
      return about && /^[\w\s,#/.-]+$/.test(value) ? [`${about}:${value.replaceAll(/\s+/g, '')}`] : []
    }),
    summary,
  )
}

/** ONIX list 196, for ProductFormFeatureType 09. Code 00 is the summary. */
const FEATURES: Readonly<Record<string, string>> = {
  '10': 'feature:unlocked',
  '11': 'feature:tableOfContents',
  '12': 'feature:index',
  '13': 'feature:readingOrder',
  '14': 'feature:alternativeText',
  '15': 'feature:longDescription',
  '17': 'feature:MathML',
  '19': 'feature:pageNavigation',
  '20': 'feature:synchronizedAudioText',
  '26': 'feature:highContrastDisplay',
  '36': 'feature:displayTransformability',
  '52': 'sufficient:textual',
}
/** ONIX list 143, for ProductFormFeatureType 12. */
const HAZARDS: Readonly<Record<string, string>> = {
  '00': 'hazard:none',
  '13': 'hazard:flashing',
  '14': 'hazard:noFlashingHazard',
  '15': 'hazard:sound',
  '16': 'hazard:noSoundHazard',
  '17': 'hazard:motionSimulation',
  '18': 'hazard:noMotionSimulationHazard',
}

export function accessibilityOfOnix(
  features: readonly { readonly type: string; readonly value: string; readonly description: string }[],
): Accessibility {
  const of = (type: string, codes: Readonly<Record<string, string>>) =>
    features.filter((each) => each.type === type).flatMap(({ value }) => codes[value] ?? [])
  const summary = features.find(({ type, value }) => type === '09' && value === '00')?.description
  return accessibility([...of('09', FEATURES), ...of('12', HAZARDS)], summary)
}

const accessibility = (codes: readonly string[], summary: string | undefined): Accessibility => ({
  codes: [...new Set(codes)].sort().slice(0, MOST_CODES),
  summary: summary?.trim().slice(0, LONGEST_SUMMARY) || null,
})
