import { create } from 'zustand'
import type { BookCard } from '#contract/catalogue.ts'
import { announce } from '#ui/announce.ts'

/** The sample of an audiobook. */
export interface Sample {
  readonly slug: string
  readonly title: string
  /** With a media fragment (`#t=0.3,10.2`) only that part plays. */
  readonly address: string
}

export interface SampleState {
  readonly sample: Sample | undefined
  /** The button that was pressed: the sound stops when that leaves the page. */
  readonly button: string
  readonly status: 'off' | 'loading' | 'playing' | 'paused' | 'ended' | 'failed'
  readonly seconds: number
  /** 0 while unknown. */
  readonly duration: number
}

export const NO_SAMPLE: SampleState = {
  sample: undefined,
  button: '',
  status: 'off',
  seconds: 0,
  duration: 0,
}

/** The only sample that plays in this page. It has an audio element of its own, and so no place and no history. */
export const useSamples = create<SampleState>()(() => NO_SAMPLE)

/** What samples need of the player. Passed by `app/`: the player imports books, and cards of books import samples. */
export interface SamplePorts {
  /** Pauses the player in this page, in its own window and in other tabs; `onPlay` when one of them plays again. */
  pausePlayer: (onPlay: () => void) => void
  /** 0 to 1. */
  volume: () => number
  /** Plays an audiobook of the listener's library. */
  listen: (slug: string) => void
}

let ports: SamplePorts | undefined
export const installSamples = (given: SamplePorts): void => void (ports = given)
export const listenTo = (slug: string): void => ports?.listen(slug)

type WithSample = Pick<BookCard, 'entityType' | 'slug' | 'title'> & { readonly sample?: string | null }

/** Undefined without a sample, and for cards that the device stored before cards had one. */
export const sampleOf = ({ entityType, slug, title, sample }: WithSample): Sample | undefined =>
  entityType === 'audioBook' && sample ? { slug, title, address: sample } : undefined

let element: HTMLAudioElement | undefined

function samplePlayer(): HTMLAudioElement {
  if (element) return element
  const audio = new Audio()
  for (const event of ['playing', 'waiting', 'timeupdate', 'pause', 'ended', 'error'])
    audio.addEventListener(event, () => report(audio))
  return (element = audio)
}

/**
 * Plays, pauses or continues a sample. The sound starts in the press itself, because an iPhone allows it only there
 * (trap 37).
 */
export function pressSample(sample: Sample, button: string): void {
  const audio = samplePlayer()
  const { sample: current, status } = useSamples.getState()
  const isCurrent = current?.address === sample.address
  if (isCurrent && (status === 'playing' || status === 'loading')) return audio.pause()
  const continues = isCurrent && status === 'paused'
  useSamples.setState({ ...(continues ? {} : NO_SAMPLE), sample, button, status: 'loading' })
  ports?.pausePlayer(() => audio.pause())
  if (!continues) audio.src = sample.address
  audio.volume = ports?.volume() ?? 1
  audio.play().catch(({ name }: Error) => {
    if (name === 'NotAllowedError') useSamples.setState({ status: 'paused' })
  })
}

/** Stops the sample if this button started it. */
export function leaveSample(button: string): void {
  if (useSamples.getState().button !== button) return
  element?.pause()
  useSamples.setState(NO_SAMPLE)
}

function report(audio: HTMLAudioElement): void {
  const { sample, status } = useSamples.getState()
  if (!sample || status === 'failed' || status === 'off') return
  if (audio.error) {
    announce(`The sample of ${sample.title} didn’t play.`)
    return useSamples.setState({ status: 'failed' })
  }
  useSamples.setState({
    seconds: audio.currentTime,
    duration: Number.isFinite(audio.duration) ? audio.duration : 0,
    status: audio.ended ? 'ended' : audio.paused ? 'paused' : hasSound(audio) ? 'playing' : 'loading',
  })
}

const HAVE_FUTURE_DATA = 3
const hasSound = ({ readyState }: HTMLAudioElement) => readyState >= HAVE_FUTURE_DATA
