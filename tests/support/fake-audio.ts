/**
 * An `<audio>` element that follows the HTML specification, without sound or real time: the test decides
 * when a source loads, how far it plays, and what fails.
 */
export class FakeAudio extends EventTarget {
  readyState = 0
  duration = NaN
  paused = true
  ended = false
  seeking = false
  error: { code: number } | null = null
  preload = ''
  volume = 1
  loop = false
  playbackRate = 1
  defaultPlaybackRate = 1
  /** Every source that was set, in order. */
  readonly sources: string[] = []
  playCalls = 0
  /** The next calls of `play` reject with these. */
  readonly refusals: Error[] = []
  /** Like a server that answers range requests with 200: every seek ends at 0 (trap 3). */
  deaf = false
  bufferedTo = 0
  #src = ''
  #at = 0
  #pending: { resolve: () => void; reject: (reason: Error) => void }[] = []

  get src() {
    return this.#src
  }
  set src(url: string) {
    this.#src = url
    this.sources.push(url)
    this.load()
  }
  get currentTime() {
    return this.#at
  }
  set currentTime(to: number) {
    if (this.readyState < 1) return
    this.seeking = true
    this.ended = false
    this.#at = Math.min(Math.max(0, to), this.duration)
    queueMicrotask(() => {
      if (this.deaf) this.#at = 0
      this.seeking = false
      this.#tell('timeupdate')
      this.#tell('seeked')
    })
  }
  get buffered() {
    return { length: this.bufferedTo > 0 ? 1 : 0, start: () => 0, end: () => this.bufferedTo }
  }

  load() {
    this.readyState = 0
    this.duration = NaN
    this.#at = 0
    this.paused = true
    this.ended = false
    this.seeking = false
    this.error = null
    this.playbackRate = this.defaultPlaybackRate
    this.#settle((one) => one.reject(named('AbortError')))
    this.#tell('emptied')
  }
  removeAttribute(name: string) {
    if (name === 'src') this.#src = ''
  }
  play(): Promise<void> {
    this.playCalls += 1
    const refusal = this.refusals.shift()
    if (refusal) return Promise.reject(refusal)
    const wasPaused = this.paused
    this.paused = false
    if (this.ended) this.#at = 0
    this.ended = false
    if (this.readyState < 3) {
      if (wasPaused) this.#tell('waiting')
      return new Promise((resolve, reject) => this.#pending.push({ resolve, reject }))
    }
    if (wasPaused) queueMicrotask(() => !this.paused && this.#tell('playing'))
    return Promise.resolve()
  }
  pause() {
    if (this.paused) return
    this.paused = true
    this.#settle((one) => one.reject(named('AbortError')))
    queueMicrotask(() => this.#tell('pause'))
  }

  /** The source has loaded its metadata. */
  async arrives(duration: number) {
    this.duration = duration
    this.readyState = 4
    this.bufferedTo = duration
    this.#tell('loadedmetadata')
    await Promise.resolve()
    if (!this.paused) {
      this.#settle((one) => one.resolve())
      this.#tell('playing')
    }
    await flush()
  }
  /** Plays this number of seconds, in quarter-second steps. */
  async hears(seconds: number) {
    for (let left = seconds; left > 0 && !this.paused; left -= 0.25) {
      this.#at = Math.min(this.duration, this.#at + Math.min(0.25, left))
      this.#tell('timeupdate')
      if (this.#at >= this.duration) {
        this.paused = true
        this.ended = true
        this.#tell('pause')
        this.#tell('ended')
      }
    }
    await flush()
  }
  /** The buffer runs empty; `arrives` ends it. */
  starves() {
    this.readyState = 2
    this.#tell('waiting')
  }
  /** The fetch of the source fails. */
  async breaks() {
    this.error = { code: 2 }
    this.#settle((one) => one.reject(named('NotSupportedError')))
    this.#tell('error')
    await flush()
  }
  /** Another app or a pulled headset stops the sound. */
  async isInterrupted() {
    this.paused = true
    this.#tell('pause')
    await flush()
  }
  /** The element jumps to a position that was not requested. */
  async slipsTo(seconds: number) {
    this.#at = seconds
    this.#tell('timeupdate')
    await flush()
  }

  asElement(): HTMLAudioElement {
    return this as unknown as HTMLAudioElement
  }

  #tell(kind: string) {
    this.dispatchEvent(new Event(kind))
  }
  #settle(end: (one: { resolve: () => void; reject: (reason: Error) => void }) => void) {
    this.#pending.splice(0).forEach(end)
  }
}

export const named = (name: string) => Object.assign(new Error(name), { name })

/** Lets all pending promises settle. */
export async function flush() {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}
