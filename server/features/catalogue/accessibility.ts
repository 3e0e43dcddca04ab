/** In the order in which they are shown. */
const SENTENCES: Readonly<Record<string, string>> = {
  'sufficient:textual': 'A screen reader or a braille display can read all of it.',
  'feature:displayTransformability': 'Type, spacing and colours can be changed.',
  'feature:alternativeText': 'Its pictures are described.',
  'feature:longDescription': 'Its charts and drawings are described at length.',
  'feature:tableOfContents': 'It has a table of contents.',
  'feature:structuralNavigation': 'One can go through it by its headings.',
  'feature:index': 'Its index leads to the pages.',
  'feature:pageNavigation': 'It has the page numbers of the printed book.',
  'feature:readingOrder': 'It is read in the order that makes sense.',
  'feature:synchronizedAudioText': 'Its text and its recording go together.',
  'feature:MathML': 'Its formulas can be read aloud.',
  'feature:highContrastDisplay': 'Its text stands out strongly from the page.',
  'feature:ttsMarkup': 'It says how difficult words are spoken.',
  'feature:unlocked': 'No reading aid is locked out.',
  'hazard:flashing': 'Careful: something in it flashes.',
  'hazard:motionSimulation': 'Careful: something in it moves as if you moved.',
  'hazard:sound': 'Careful: sounds in it may be startling.',
  'hazard:none': 'Nothing in it flashes, moves or sounds suddenly.',
}

/** Synonyms from older and newer vocabularies. */
const SAME: Readonly<Record<string, string>> = {
  'feature:printPageNumbers': 'feature:pageNavigation',
  'feature:pageBreakMarkers': 'feature:pageNavigation',
  'feature:describedMath': 'feature:MathML',
  'feature:latex': 'feature:MathML',
}
const NO_HAZARDS = ['hazard:noFlashingHazard', 'hazard:noMotionSimulationHazard', 'hazard:noSoundHazard']

/** For the facts of `importer/accessibility.ts`. Facts without a sentence are left out. */
export function accessibilitySentences(codes: readonly string[]): string[] {
  const said = new Set(codes.map((code) => SAME[code] ?? code))
  if (NO_HAZARDS.every((code) => said.has(code))) said.add('hazard:none')
  // The book consists of text only.
  if (said.has('mode:textual') && [...said].filter((code) => code.startsWith('mode:')).length === 1)
    said.add('sufficient:textual')
  return Object.entries(SENTENCES).flatMap(([code, sentence]) => (said.has(code) ? [sentence] : []))
}
