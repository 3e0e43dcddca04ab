/** Small enough for one transaction and one retry, large enough for few rows: 1 MiB (traps 12, 14). */
export const CHUNK_BYTES = 1024 * 1024
