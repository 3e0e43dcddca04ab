/** The timeout for anything expected: under a load of eight it can take longer than the usual second. */
export const SOON_MS = 30_000
