import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { parseFile } from 'music-metadata'

/** The comment tag of a spoken file: a hash of its sources, so that unchanged files are not made again. */
export const spokenFrom = (source: unknown): string =>
  `Spoken by a synthesiser, ${createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 16)}`

/** Reads the tag, because files from git have no useful dates. */
export async function isSpoken(path: string, comment: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const { native } = await parseFile(path)
  // ffmpeg writes the comment as a TXXX frame, not as ID3's COMM frame.
  return native['ID3v2.3']?.some(({ id, value }) => id === 'TXXX:comment' && value === comment) ?? false
}

export function demandTools(): void {
  const missing = ['festival', 'hts_engine', 'ffmpeg'].filter((tool) => {
    try {
      return execFileSync('which', [tool]).length === 0
    } catch {
      return true
    }
  })
  if (missing.length === 0) return
  console.error(
    `Not found: ${missing.join(', ')}. apt-get install festival festvox-us-slt-hts htsengine ffmpeg`,
  )
  process.exit(1)
}
