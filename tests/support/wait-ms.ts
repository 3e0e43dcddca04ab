/** How long what is about to come may take: on a machine with a load of eight that is longer than the second which is usual. */
export const SOON_MS = 30_000
