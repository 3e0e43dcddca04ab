import { vi } from 'vitest'
import { SOON_MS } from './wait-ms.ts'

/** Waits until nothing in `check` fails any more; fails as it does where that does not come. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: SOON_MS })
