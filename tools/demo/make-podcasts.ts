/**
 * Makes the sound of the demo shop's journal: one MP3 for each text next to an article, podcast or event.
 *
 *   npx --no-install node tools/demo/make-podcasts.ts [slug …]
 *
 * In `<slug>.txt` each paragraph begins with its speaker's name; a paragraph without a name continues the previous
 * one's. Run by hand, with the tools of `make-speech.ts`.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sampleRate, speak } from './festival.ts'
import { demandTools, isSpoken, spokenFrom } from './fingerprint.ts'
import { writeMp3 } from './level.ts'
import { voiceOf } from './voices.ts'

const editorial = new URL('../../content/demo/editorial/', import.meta.url).pathname

/** Increase this when the synthesis changes, so that every file is made again. */
const manner = 1

async function main(wanted: readonly string[]) {
  demandTools()
  const texts = readdirSync(editorial, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.txt'),
  )
  for (const text of texts.toSorted()) {
    if (wanted.length === 0 || wanted.includes(basename(text, '.txt'))) await speakText(join(editorial, text))
  }
}

async function speakText(path: string) {
  const turns = turnsOf(readFileSync(path, 'utf8')).map((turn) => ({ ...turn, voice: voiceOf(turn.name) }))
  const title = /^title: '?(.*?)'?$/m.exec(readFileSync(path.replace(/txt$/, 'md'), 'utf8'))?.[1] ?? ''
  const people = [...new Set(turns.map(({ name }) => name))].join(', ')
  const about = { title, album: 'Murmurations', artist: people, composer: people, genre: 'Podcast' }
  const sound = path.replace(/txt$/, 'mp3')
  const comment = spokenFrom({ manner, turns, about })
  if (await isSpoken(sound, comment)) return
  const spoken = turns.map(({ text, voice }, index) =>
    index === 0 ? speak(text, voice) : speak(text, voice).subarray(leadIn),
  )
  writeMp3(Buffer.concat(spoken), sampleRate, { ...about, comment }, sound)
  console.log(sound)
}

/**
 * Bytes of silence at the beginning of each turn. The engine's own pause suits a reader but is too long in a dialogue.
 */
const leadIn = Math.round(0.3 * sampleRate) * 2

function turnsOf(text: string) {
  const turns: { name: string; text: string }[] = []
  for (const paragraph of text.trim().split(/\n\s*\n/)) {
    const [, name, words] = /^([A-Z]\w+ [A-Z]\w+): (.*)$/s.exec(paragraph) ?? []
    const last = turns.at(-1)
    if (name && words) turns.push({ name, text: words })
    else if (last) last.text += `\n\n${paragraph}`
    else throw new Error('The first paragraph does not say who speaks')
  }
  return turns
}

await main(process.argv.slice(2))
