import { vi } from 'vitest'
import { SOON_MS } from './wait-ms.ts'

/** Waits until `check` passes; on a timeout it fails with the last error of `check`. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: SOON_MS })
