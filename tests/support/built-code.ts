import { readFileSync } from 'node:fs'

/** Matches the URLs of the built chunks of these sources. */
export const codeOf =
  (...sources: string[]) =>
  (url: URL): boolean => {
    const parts = JSON.parse(readFileSync('dist/client/.vite/manifest.json', 'utf8')) as Record<
      string,
      { file: string }
    >
    return sources.some((source) => url.pathname === `/${parts[source]!.file}`)
  }
