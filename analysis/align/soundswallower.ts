import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import createModule, { type Decoder } from 'soundswallower'
import { guessPronunciation } from '../text/pronunciations.ts'
import { SPEECH_RATE } from '../sound/resample.ts'
import type { Aligner, AlignOptions, Line, Placement } from './aligner.ts'

/** Languages whose acoustic model comes with the package. */
const MODELS: Readonly<Record<string, { readonly model: string; readonly phones: string }>> = {
  en: {
    model: 'en-us',
    phones:
      'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH',
  },
  fr: {
    model: 'fr-fr',
    phones:
      'aa ai an au bb ch dd ee ei eu ff gg gn ii in jj kk ll mm nn oe on oo ou pp rr ss tt un uu uy vv ww yy zz',
  },
}

/** The model of a language, or undefined if the package has none. */
const modelFor = (language: string) => MODELS[language.slice(0, 2).toLowerCase()]

export const canAlign = (language: string): boolean => modelFor(language) !== undefined

/** How likely speech that is not in the text must be, compared with the text. */
const LEAD_IN_WEIGHT = 0.001
const DOUBTFUL = 0.5
const OPENING_WORDS = 6
const PRONUNCIATIONS_AT_MOST = 8

/**
 * PocketSphinx in WebAssembly, with a grammar in which each sentence is optional: `[<s1>] [<s2>] …`. Its memory grows
 * with the length of the sound and is only freed with the instance, so open one per chapter.
 */
export async function openSoundswallower(language: string): Promise<Aligner> {
  const known = modelFor(language)
  if (!known) throw new Error(`there is no acoustic model for ${language}`)
  // The package's own default is relative to the working directory.
  const folder = dirname(fileURLToPath(import.meta.resolve('soundswallower')))
  const quiet = () => undefined
  const options = { modelBase: join(folder, 'model/'), print: quiet, printErr: quiet }
  const module = await createModule(options)
  const phones = known.phones.split(' ')
  const unknown = new Set<string>()
  const opened = async (isWide: boolean) => {
    const decoder = new module.Decoder({
      hmm: module.get_model_path(known.model),
      samprate: SPEECH_RATE,
      loglevel: 'FATAL',
      ...(isWide ? { beam: 1e-100, pbeam: 1e-100, wbeam: 1e-60 } : {}),
    })
    await decoder.initialize()
    decoder.add_words([PAUSE, 'SIL'], ...phones.map((phone): [string, string] => [`${PHONE}${phone}`, phone]))
    return { decoder, words: new Words(decoder, language, unknown) }
  }
  const usual = await opened(false)
  let wide: typeof usual | undefined
  const leadIn = `<lead> = ( ${phones.map((phone) => `/${LEAD_IN_WEIGHT}/ ${PHONE}${phone}`).join(' | ')} );`
  return {
    unknownWords: unknown,
    async align(speech, lines, { hasLeadIn = false, isWide = false }: AlignOptions = {}) {
      if (lines.length === 0 || speech.length < SPEECH_RATE / 10) return []
      const { decoder, words } = isWide ? (wide ??= await opened(true)) : usual
      const rules = words.rulesFor(lines)
      const order = lines.map(({ id }) => `[ <s${id}> ]`).join(' ')
      const grammar = `#JSGF V1.0;\ngrammar chapter;\n${rules.join('\n')}\n${hasLeadIn ? leadIn : ''}
public <all> = ${hasLeadIn ? `[ <lead>+ ${PAUSE} ] ` : ''}${order};`
      try {
        decoder.set_grammar(grammar)
        decoder.start()
        decoder.process_audio(speech, false, true)
        decoder.stop()
        return placementsIn(decoder.get_alignment().w ?? [], lines)
      } catch {
        // "Final result does not match the grammar": nothing fits.
        return []
      } finally {
        // Frees what this search remembers, which is up to 100 MB for a wide one.
        decoder.set_grammar(`#JSGF V1.0;\ngrammar none;\npublic <none> = ${PAUSE};`)
      }
    },
    close() {
      usual.decoder.delete()
      wide?.decoder.delete()
    },
  }
}

/** Not a letter of any text, so that it cannot be a word. */
const PHONE = '_'
/**
 * Comes between other speech and the next sentence. Otherwise the search would have to remember each sentence after each
 * sound of that speech.
 */
const PAUSE = `${PHONE}pause`
const FIRST_WORD = /^q(\d+)_/

/** The dictionary of a decoder: adds what it lacks, and a name of its own for the first word of each sentence. */
class Words {
  readonly #decoder: Decoder
  readonly #language: string
  readonly #unknown: Set<string>
  readonly #rules = new Map<number, string>()

  constructor(decoder: Decoder, language: string, unknown: Set<string>) {
    this.#decoder = decoder
    this.#language = language
    this.#unknown = unknown
  }

  rulesFor(lines: readonly Line[]): string[] {
    const added: [string, string][] = []
    const isAdded = new Set<string>()
    const rules = lines.map(({ id, spoken }) => {
      const known = this.#rules.get(id)
      if (known) return known
      const parts = spoken.map((alternatives, at) => {
        const ways = alternatives.map((way, number) =>
          way
            .map((word, place) => {
              const pronunciations = this.#pronunciations(word)
              const isFirst = at === 0 && place === 0
              if (!isFirst && pronunciations.isKnown) return word
              const name = isFirst ? `q${id}_${number}` : word
              if (isAdded.has(name)) return name
              isAdded.add(name)
              pronunciations.all.forEach((sounds, variant) =>
                added.push([variant === 0 ? name : `${name}(${variant + 1})`, sounds]),
              )
              return name
            })
            .join(' '),
        )
        return ways.length === 1 ? ways[0]! : `( ${ways.join(' | ')} )`
      })
      const rule = `<s${id}> = ${parts.join(' ')};`
      this.#rules.set(id, rule)
      return rule
    })
    if (added.length > 0) this.#decoder.add_words(...added)
    return rules
  }

  #pronunciations(word: string): { isKnown: boolean; all: string[] } {
    const lookup = (name: string) => this.#decoder.lookup_word(name) || null
    const first = lookup(word)
    if (!first) {
      this.#unknown.add(word)
      return { isKnown: false, all: [guessPronunciation(word, this.#language, lookup)] }
    }
    const all = [first]
    for (let variant = 2; variant <= PRONUNCIATIONS_AT_MOST; variant++) {
      const sounds = lookup(`${word}(${variant})`)
      if (!sounds) break
      all.push(sounds)
    }
    return { isKnown: true, all }
  }
}

interface Segment {
  readonly t: string
  /** Start and length in seconds. */
  readonly b: number
  readonly d: number
  /** From 0 to 1. */
  readonly p: number
}

function placementsIn(segments: readonly Segment[], lines: readonly Line[]): Placement[] {
  const ids = new Set(lines.map(({ id }) => id))
  const found: { id: number; words: Segment[] }[] = []
  for (const segment of segments) {
    const id = Number(FIRST_WORD.exec(segment.t)?.[1] ?? NaN)
    if (ids.has(id)) found.push({ id, words: [segment] })
    else if (!/^[<[(_]/.test(segment.t)) found.at(-1)?.words.push(segment)
  }
  return found.map(({ id, words }) => {
    const seconds = words.reduce((sum, { d }) => sum + d, 0)
    const last = words.at(-1)!
    return {
      id,
      start: Math.round(words[0]!.b * 100),
      end: Math.round((last.b + last.d) * 100),
      score: words.reduce((sum, { p }) => sum + Math.log(Math.max(p, 1e-6)), 0) / Math.max(seconds, 0.01),
      opening: Math.min(...words.slice(0, OPENING_WORDS).map(({ p }) => p)),
      doubtful: words.filter(({ p }) => p < DOUBTFUL).map(({ t }) => t.replace(/\(\d+\)$/, '')),
    }
  })
}
