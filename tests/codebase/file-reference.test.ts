import { expect, test } from 'vitest'
import { REFERENCES, referenceOf, storedReference } from '../../tools/file-reference.ts'

test.each(REFERENCES)(
  '$document describes each key; `node tools/file-reference.ts` writes it',
  (reference) => {
    expect(storedReference(reference)).toBe(referenceOf(reference))
  },
)
