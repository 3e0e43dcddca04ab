import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Voice } from './voices.ts'

export const sampleRate = 32_000

const model = '/usr/share/festival/voices/us/cmu_us_slt_arctic_hts/hts/cmu_us_slt_arctic_hts.htsvoice'

/**
 * Reads a text aloud: signed 16-bit little-endian mono at `sampleRate`. The same text gives the same bytes.
 *
 * Festival only turns words into phonemes and stress here. Its own copy of the engine ignores pitch, throat and
 * post-filter, so the stand-alone `hts_engine` synthesises the speech.
 */
export function speak(text: string, voice: Voice): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-speech-'))
  try {
    const sentences = sentencesOf(text)
    writeFileSync(join(folder, 'labels.scm'), labelScript(sentences, folder))
    execFileSync('festival', ['-b', join(folder, 'labels.scm')])
    const parts = sentences.flatMap(({ pause }, index) => [say(folder, index, voice), silence(pause)])
    return Buffer.concat([silence(0.3), ...parts])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pauses after a sentence and a paragraph, in seconds; the engine adds about 0.3. */
const beat = { sentence: 0.12, paragraph: 0.5 }

function sentencesOf(text: string) {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .flatMap((paragraph) => {
      const sentences = plainText(paragraph).split(/(?<=[.?!])(?<!\bMrs?\.) (?=[A-Z])/)
      return sentences.map((words, index) => ({
        words,
        pause: index === sentences.length - 1 ? beat.paragraph : beat.sentence,
      }))
    })
}

/** Festival misreads quotation marks and dashes, and guesses the pronunciation of names from their spelling. */
function plainText(text: string) {
  return text
    .replace(/[‘’]/g, "'")
    .replace(/[“”"\\]/g, '')
    .replace(/\s*[–—]\s*/g, ', ')
    .replace(/\bKwesi\b/g, 'Kwessy')
    .replace(/\bAma\b/g, 'Ahma')
    .replace(/\bMr (?=[A-Z])/g, 'Mister ')
    .replace(/\bMrs (?=[A-Z])/g, 'Missus ')
}

function labelScript(sentences: readonly { words: string }[], folder: string) {
  return [
    '(voice_cmu_us_slt_arctic_hts)',
    "(define (labels text out) (let ((utt (eval (list 'Utterance 'Text text))))",
    '  (Initialize utt) (Text utt) (Token_POS utt) (Token utt) (POS utt) (Phrasify utt) (Word utt)',
    '  (Pauses utt) (Intonation utt) (PostLex utt) (Duration utt) (Int_Targets utt)',
    '  (hts_dump_feats utt hts_feats_list out)))',
    ...sentences.map(({ words }, index) => `(labels "${words}" "${join(folder, `${index}.lab`)}")`),
  ].join('\n')
}

function say(folder: string, index: number, { throat, pitch, rate, melody }: Voice): Buffer {
  const out = join(folder, `${index}.raw`)
  const settings = {
    '-a': throat,
    '-fm': pitch,
    '-r': rate,
    '-jf': melody,
    '-b': 0.15,
    '-or': out,
    '-m': model,
  }
  const flags = Object.entries(settings).flatMap(([flag, value]) => [flag, String(value)])
  execFileSync('hts_engine', [...flags, join(folder, `${index}.lab`)])
  return readFileSync(out)
}

const silence = (seconds: number) => Buffer.alloc(Math.round(seconds * sampleRate) * 2)
