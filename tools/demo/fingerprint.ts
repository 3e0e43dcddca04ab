import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { parseFile } from 'music-metadata'

/** The comment of a spoken file: names what it was made from, so that the same is not made twice. */
export const spokenFrom = (source: unknown): string =>
  `Spoken by a synthesiser, ${createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 16)}`

/** Files from git carry no useful dates, so the file itself says what it was made from. */
export async function isSpoken(path: string, comment: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const { native } = await parseFile(path)
  // ffmpeg writes a comment as a text of its own, not as ID3's comment frame.
  return native['ID3v2.3']?.some(({ id, value }) => id === 'TXXX:comment' && value === comment) ?? false
}

/** Ends the process, saying what to install, where a tool is missing. */
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
