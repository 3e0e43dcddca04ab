import { expect, test } from 'vitest'
import { bytes } from './bytes.ts'

test.each([
  [612_000_000, '612 MB'],
  [2_000_000_000, '2 GB'],
  [1_420_000_000, '1.4 GB'],
  [999_900_000, '1 GB'],
  [3_040_000, '3 MB'],
  [3_460_000, '3.5 MB'],
  [12, '0.1 MB'],
  [0, '0 MB'],
])('%i bytes are %s', (count, shown) => expect(bytes(count)).toBe(shown))
