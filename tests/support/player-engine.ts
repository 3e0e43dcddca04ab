import { createEngine } from '#features/player/engine.ts'
import type { EngineEvents } from '#features/player/engine-interface.ts'
import type { PlayerPorts } from '#features/player/ports.ts'
import { aPlayable, fakePorts } from './playable-title.ts'
import { FakeAudio } from './fake-audio.ts'

/** An engine on an element without sound, and the events it publishes. */
export function startEngine(part: Partial<PlayerPorts> = {}) {
  const audio = new FakeAudio()
  const ports = fakePorts(part)
  const engine = createEngine(audio.asElement(), ports, queueMicrotask)
  const heard: [keyof EngineEvents, number, number][] = []
  for (const kind of [
    'tick',
    'play',
    'pause',
    'seek',
    'chapterStart',
    'chapterEnd',
    'error',
    'ended',
  ] as const) {
    engine.on(kind, (event) => heard.push([kind, event.chapter, event.seconds]))
  }
  const kinds = () => heard.map(([kind]) => kind).filter((kind) => kind !== 'tick')
  return { audio, ports, engine, heard, kinds }
}

/** Chapters of 60, 30 and 40 s. */
export const book = aPlayable()

export async function playingEngine(at?: { chapter: number; seconds: number }) {
  const all = startEngine()
  all.engine.load(book, at)
  all.engine.play()
  await all.audio.arrives(60)
  return all
}
