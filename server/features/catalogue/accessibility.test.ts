import { expect, test } from 'vitest'
import { accessibilitySentences } from './serializers.ts'

test('listening: describes an e-book’s facts in plain words, hazards last, and omits unknown facts', () => {
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
  // This value requires the pictures too, so text alone is not sufficient.
  expect(accessibilitySentences(['sufficient:textual,visual', 'mode:textual', 'mode:visual'])).toEqual([])
})
