import { vi } from 'vitest'

/** What is about to come: on a busy machine that takes longer than the second which is usual. */
export const SOON_MS = 10_000

/** Waits until nothing in `check` fails any more; fails as it does where that does not come. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: SOON_MS })
