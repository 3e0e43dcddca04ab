/**
 * Makes the demo shop's chapters and samples: MP3 files next to their texts.
 *
 *   npx --no-install node tools/demo/make-speech.ts [slug …]
 *
 * Run by hand when a text or a voice changed, and commit the results. Needs Debian's festival, festvox-us-slt-hts,
 * htsengine and ffmpeg. Files whose text, voice and tags are unchanged are not touched.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleRate, speak } from './festival.ts'
import { demandTools, isSpoken, spokenFrom } from './fingerprint.ts'
import { chapters, fullName, readTitles, type Title } from './folders.ts'
import { writeMp3, type Tags } from './level.ts'
import { voiceOf } from './voices.ts'

/** Increase this when the synthesis changes, so that every file is made again. */
const manner = 1

async function main(wanted: readonly string[]) {
  demandTools()
  for (const title of readTitles()) {
    if (wanted.length === 0 || wanted.includes(title.slug)) await speakTitle(title)
  }
}

async function speakTitle(title: Title) {
  const { folder, audiobook } = title
  if (!audiobook) return
  const texts = audiobook.chapters ? chapters(title) : []
  for (const [index, { file, title: name }] of (audiobook.chapters ?? []).entries()) {
    const text = texts[index]?.text
    if (!text) throw new Error(`${title.slug} has no text for ${file}`)
    await speakFile(title, text, join(folder, file), { title: name, track: `${index + 1}/${texts.length}` })
  }
  if (audiobook.sample) {
    const text = readFileSync(join(folder, 'sample.txt'), 'utf8')
    await speakFile(title, text, join(folder, audiobook.sample), { title: `${title.title}, a sample` })
  }
}

async function speakFile(title: Title, text: string, path: string, own: { title: string; track?: string }) {
  const narrators = title.audiobook?.narrators.map(fullName) ?? []
  const voice = voiceOf(narrators[0] ?? '')
  const artist = title.authors.map(fullName).join(', ')
  const about = { ...own, album: title.title, artist, composer: narrators.join(', ') }
  const comment = spokenFrom({ manner, text, voice, about })
  if (await isSpoken(path, comment)) return
  writeMp3(speak(text, voice), sampleRate, { ...about, comment } satisfies Tags, path)
  console.log(path)
}

await main(process.argv.slice(2))
