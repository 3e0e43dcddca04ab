import { expect, test } from 'vitest'
import { accessibilitySentences } from './accessibility.ts'

test('listening: facts of an e-book are said in plain words, hazards last, and what is unknown not at all', () => {
  expect(
    accessibilitySentences([
      ...['feature:printPageNumbers', 'feature:alternativeText', 'hazard:flashing', 'sufficient:textual'],
      ...['feature:something-new', 'mode:visual'],
    ]),
  ).toEqual([
    'A screen reader or a braille display can read all of it.',
    'Its pictures are described.',
    'It has the page numbers of the printed book.',
    'Careful: something in it flashes.',
  ])
  const noHazard = ['hazard:noFlashingHazard', 'hazard:noMotionSimulationHazard']
  expect(accessibilitySentences(noHazard)).toEqual([])
  expect(accessibilitySentences([...noHazard, 'hazard:noSoundHazard', 'mode:textual'])).toEqual([
    'A screen reader or a braille display can read all of it.',
    'Nothing in it flashes, moves or sounds suddenly.',
  ])
  // Only together with its pictures.
  expect(accessibilitySentences(['sufficient:textual,visual', 'mode:textual', 'mode:visual'])).toEqual([])
})
