import { FETCH_RETRY_MS } from '#contract/limits.ts'
import type { ChapterSeconds } from '#storage/place.ts'
import { lookAhead } from './ahead.ts'
import {
  type Engine,
  OFF,
  type EngineEvents,
  type EngineState,
  type Fault,
  type Playback,
} from './engine-interface.ts'
import { createSoundSource } from './sound-source.ts'
import { createEmitter, createNotifiedState } from './emitter.ts'
import {
  type Chapter,
  chapterAfter,
  chapterAt,
  chapterBefore,
  clampPlace,
  isHeardToItsEnd,
  jumpFrom,
} from './model.ts'
import type { PlayerPorts, Sound } from './ports.ts'

type EnginePorts = Pick<
  PlayerPorts,
  'soundFor' | 'prefetch' | 'warm' | 'claimSound' | 'takeOver' | 'connectivity'
>

/** From this second of a chapter on, 'previous' goes to its beginning. */
const PREVIOUS_RESTARTS_AFTER_SECONDS = 5
/** The next address is as old as the chapter: it may have expired, or the chapter may be stored by now. */
const LOOK_AGAIN_BEFORE_END_SECONDS = 20
/** Shorter waits are not reported: a change between stored chapters takes about 10 ms. */
const WORTH_SAYING_MS = 250
const AFRESH = { stored: false, wentElsewhere: false } as const

/** Plays a book on one element: chapters, jumps, waits and retries. Knows no React, storage or network. */
export function createEngine(
  audio: HTMLAudioElement,
  ports: EnginePorts,
  afterwards: (work: () => void) => void = (work) => void setTimeout(work),
): Engine {
  const { on, emit } = createEmitter<EngineEvents>()
  const ahead = lookAhead(ports, () => retryOrLookAhead())
  const engineState = createNotifiedState<EngineState>(OFF, (state) => emit('change', state))
  const { read, change } = engineState
  let source: 'none' | 'asked' | 'open' | 'missing' = 'none'
  /** Counts requests for an address, so that a late answer to an earlier one is dropped. */
  let request = 0
  let seekFaults = 0
  /** The chapter for which the late second request was sent. */
  let lookedLate: number | undefined
  let fade = 1
  let pausesAtChapterEnd = false
  let giveUpSound: (() => void) | undefined
  /** Set while another device is asked for its place: sound starts with the answer. */
  let asksElsewhere: symbol | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let slow: ReturnType<typeof setTimeout> | undefined

  const soundSource = createSoundSource(audio, {
    progressed() {
      seekFaults = 0
      const left = duration() - soundSource.seconds()
      if (lookedLate !== read().chapter && left <= LOOK_AGAIN_BEFORE_END_SECONDS) {
        lookedLate = read().chapter
        ahead.look(title(), read().chapter, true)
      }
      emit('tick', moment())
    },
    sounding() {
      clearTimeout(slow)
      change({ status: 'playing', waitingFor: undefined })
      emit('sounding', moment())
      ahead.fetch(title(), read().chapter)
    },
    starving: () => waitSoon(),
    halted: () => pause(),
    ended: () => runOn(),
    failed: (reason) => fail(reason),
  })

  const title = () => read().title!
  /** Chapter lengths, the current one as measured: a sample's is unknown before. */
  const chapters = (): readonly Chapter[] => {
    const known = read().title?.chapters ?? []
    const at = known.findIndex(({ number }) => number === read().chapter)
    const current = known[at]
    const seconds = soundSource.duration()
    return current && seconds !== undefined ? known.with(at, { ...current, seconds }) : known
  }
  const wanted = () => read().status === 'playing' || read().status === 'waiting'
  const place = (): ChapterSeconds => ({ chapter: read().chapter, seconds: soundSource.seconds() })
  const duration = () =>
    soundSource.duration() ?? chapterAt(read().title?.chapters ?? [], read().chapter)?.seconds ?? 0
  const moment = (): Playback => ({ title: title(), ...place(), duration: duration() })

  /** Moves to a place. If `sound` is known, nothing is awaited before `src` is set (trap 6). */
  const begin = (chapter: number, seconds: number, sound?: Sound, fresh = false) => {
    request += 1
    clearTimeout(retry)
    clearTimeout(slow)
    soundSource.aim(seconds)
    if (sound) open(sound)
    if (chapter !== read().chapter) {
      change({ chapter })
      ahead.forget()
      lookedLate = undefined
    }
    if (!sound) ask(fresh)
  }

  const enterChapter = (chapter: number, seconds: number, sound?: Sound) => {
    begin(chapter, seconds, sound)
    emit('chapterStart', moment())
  }

  const open = (sound: Sound) => {
    source = 'open'
    // Don't fetch a streamed book before play: it would spend the listener's data.
    soundSource.open({ url: sound.url, eager: sound.stored })
    change({ stored: sound.stored })
  }

  const ask = (fresh: boolean) => {
    source = 'asked'
    const mine = request
    const answer = (sound: Sound | undefined) => {
      if (mine !== request) return
      if (sound) open(sound)
      else missing()
    }
    const asked = attempt(() => ports.soundFor(title(), read().chapter, { fresh }))
    if (!(asked instanceof Promise)) return answer(asked)
    waitSoon()
    void asked.catch(() => undefined).then(answer)
  }

  const missing = () => {
    source = 'missing'
    // A paused book requests its address again on play.
    if (!wanted()) return
    wait()
    clearTimeout(retry)
    retry = setTimeout(() => begin(read().chapter, soundSource.seconds(), undefined, true), FETCH_RETRY_MS)
  }

  const fail = (reason: Fault) => {
    seekFaults += reason === 'seek' ? 1 : 0
    if (reason === 'seek' && seekFaults === 1)
      return begin(read().chapter, soundSource.seconds(), undefined, true)
    emit('error', { ...moment(), reason, retryInMs: FETCH_RETRY_MS })
    missing()
  }

  const wait = () => {
    clearTimeout(slow)
    const waitingFor = soundSource.seconds() > 0 ? 'sound' : 'chapter'
    if (!wanted() || read().waitingFor === waitingFor) return
    change({ status: 'waiting', waitingFor })
    emit('waiting', { ...moment(), waitingFor })
  }
  const waitSoon = () => {
    clearTimeout(slow)
    slow = setTimeout(wait, WORTH_SAYING_MS)
  }

  const play = () => {
    // PLAY-16: never call play() without a playable file.
    if (chapters().length === 0) return
    const again = wanted()
    const { status } = read()
    giveUpSound ??= ports.claimSound(() => {
      giveUpSound = undefined
      pause()
      change({ wentElsewhere: true })
    })
    if (!again) change({ status: 'waiting', waitingFor: undefined, wentElsewhere: false })
    // play() at its end would restart the chapter.
    const over = duration() > 0 && soundSource.seconds() >= duration() && source === 'open'
    const next = over ? chapterAfter(chapters(), read().chapter) : undefined
    const [first] = chapters()
    if (next) enterChapter(next.number, 0, ahead.take(next.number))
    // A finished book starts again, as a seek: the recorder ignores backward moves without one.
    else if (first && (over || status === 'ended')) goTo({ chapter: first.number, seconds: 0 })
    else if (source === 'missing') begin(read().chapter, soundSource.seconds(), undefined, true)
    const there = again ? undefined : attempt(() => ports.takeOver?.(moment()))
    if (there) playFrom(there)
    else if (!asksElsewhere) soundSource.play()
    if (!again) emit('play', moment())
  }

  const playFrom = (there: Promise<ChapterSeconds | undefined>) => {
    const mine = (asksElsewhere = Symbol('take over'))
    // The user gesture has ended when the answer arrives.
    soundSource.unlock()
    void there
      .catch(() => undefined)
      .then((stood) => {
        if (asksElsewhere !== mine) return
        asksElsewhere = undefined
        if (stood) goTo(stood)
        soundSource.play()
      })
  }

  const pause = () => {
    const again = wanted()
    clearTimeout(retry)
    clearTimeout(slow)
    asksElsewhere = undefined
    soundSource.pause()
    giveUpSound?.()
    giveUpSound = undefined
    if (!again) return
    change({ status: 'paused', waitingFor: undefined })
    emit('pause', moment())
  }

  const runOn = () => {
    const end = moment()
    const next = chapterAfter(chapters(), read().chapter)
    // Read before the event, whose listeners may change it.
    const stays = pausesAtChapterEnd || !next
    if (stays) soundSource.pause()
    engineState.quietly(() => next && begin(next.number, 0, ahead.take(next.number)))
    // The element fetches only after this event, and rendering and storage would delay it.
    afterwards(() => {
      if (read().title !== end.title) return
      engineState.notify()
      emit('chapterEnd', end)
      if (next) emit('chapterStart', moment())
      if (stays) pause()
      if (next) return
      change({ status: 'ended' })
      emit('ended', end)
    })
  }

  const goTo = (to: ChapterSeconds) => {
    const target = clampPlace(chapters(), to)
    if (!target) return
    const from = place()
    const waits = asksElsewhere
    asksElsewhere = undefined
    if (read().status === 'ended') change({ status: 'paused' })
    if (target.chapter !== read().chapter) enterChapter(target.chapter, target.seconds)
    else if (source === 'missing' && wanted()) begin(target.chapter, target.seconds, undefined, true)
    else soundSource.seek(target.seconds)
    // A seek replaces the place that the other device would report.
    if (waits) soundSource.play()
    emit('seek', { ...moment(), from })
  }

  const stand = (to: ChapterSeconds) => {
    const target = clampPlace(chapters(), to)
    if (!target || wanted()) return
    change({ status: 'paused' })
    if (target.chapter !== read().chapter) begin(target.chapter, target.seconds)
    else soundSource.seek(target.seconds)
    // As if the book had been opened at this place.
    emit('load', { ...moment(), ...target })
    if (isHeardToItsEnd(title(), target)) change({ status: 'ended', wentElsewhere: false })
  }

  const retryOrLookAhead = () => {
    if (!read().title) return
    if (source !== 'missing') ahead.look(title(), read().chapter)
    else if (wanted()) begin(read().chapter, soundSource.seconds(), undefined, ports.connectivity.isOnline())
  }
  ports.connectivity.subscribe(retryOrLookAhead)

  const loud = () => soundSource.setVolume(read().volume * fade)

  return {
    on,
    state: read,
    place,
    duration,
    buffered: soundSource.buffered,
    setsVolume: soundSource.setsVolume,
    load(next, at, speed = read().speed) {
      pause()
      ahead.forget()
      seekFaults = 0
      lookedLate = undefined
      const [first] = next.chapters
      const start = first && clampPlace(next.chapters, at ?? { chapter: first.number, seconds: 0 })
      soundSource.setSpeed(speed)
      change({ ...AFRESH, title: next, status: 'paused', speed, chapter: start?.chapter ?? 0 })
      emit('load', { ...moment(), ...start })
      if (start) enterChapter(start.chapter, start.seconds)
      else soundSource.close()
      if (start && isHeardToItsEnd(next, start)) change({ status: 'ended' })
    },
    play,
    pause,
    toggle: () => (wanted() ? pause() : play()),
    jump: (bySeconds) => goTo(jumpFrom(chapters(), place(), bySeconds)),
    goTo,
    stand,
    skipTo(seconds) {
      const isHere = read().stored || seconds <= soundSource.buffered()
      if (read().status === 'playing' && seconds > soundSource.seconds() && isHere) soundSource.seek(seconds)
    },
    rest(silence, onSound) {
      request += 1
      source = 'missing'
      return soundSource.rest(silence, onSound)
    },
    endElsewhere: () => change({ wentElsewhere: false }),
    nextChapter() {
      const next = chapterAfter(chapters(), read().chapter)
      if (next) goTo({ chapter: next.number, seconds: 0 })
    },
    previousChapter() {
      const late = soundSource.seconds() > PREVIOUS_RESTARTS_AFTER_SECONDS
      const before = late ? undefined : chapterBefore(chapters(), read().chapter)
      goTo({ chapter: before?.number ?? read().chapter, seconds: 0 })
    },
    setSpeed(speed) {
      soundSource.setSpeed(speed)
      change({ speed })
    },
    setVolume(volume) {
      change({ volume: Math.min(1, Math.max(0, volume)) })
      loud()
    },
    setFade(share) {
      fade = Math.min(1, Math.max(0, share))
      loud()
    },
    pauseAtChapterEnd: (pauses) => void (pausesAtChapterEnd = pauses),
    retryOrLookAhead,
    turnOff() {
      if (!read().title) return
      const was = title()
      pause()
      request += 1
      source = 'none'
      soundSource.close()
      change({ ...AFRESH, title: undefined, status: 'off', chapter: 0 })
      emit('off', { title: was })
    },
  }
}

/** Treats a port that throws as one without a result. */
export function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
