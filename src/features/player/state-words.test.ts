import { expect, test } from 'vitest'
import { aPlayable } from '#tests/support/playable-title.ts'
import { OFF, type EngineState } from './engine-interface.ts'
import { stateWords } from './use-player.ts'

const state = (part: Partial<EngineState> = {}): EngineState => ({
  ...OFF,
  title: aPlayable(),
  status: 'playing',
  chapter: 1,
  ...part,
})
const SURROUNDED = { online: true, here: false, savedSince: false, storedAhead: false, isUser: true }

test.each<[string, Partial<EngineState>, Partial<typeof SURROUNDED>]>([
  ['Streaming', {}, {}],
  ['Streaming', { status: 'paused' }, {}],
  ['Offline, playing what has loaded', {}, { online: false }],
  ['Needs a connection', { status: 'paused' }, { online: false }],
  ['Playing from downloads', {}, { here: true, online: false }],
  ['Saved on this device', { status: 'paused' }, { here: true, online: false }],
  ['Saved on this device', {}, { savedSince: true }],
  ['Saved on this device', {}, { savedSince: true, online: false }],
  [
    'Loading more of this chapter',
    { status: 'waiting', waitingFor: 'sound' },
    { savedSince: true, online: false },
  ],
  ['Saved on this device', { status: 'paused' }, { here: true, isUser: false }],
  ['Playing what was kept ahead', {}, { here: true, storedAhead: true, online: false }],
  ['Kept ahead on this device', { status: 'paused' }, { here: true, storedAhead: true }],
  ['Waiting for a connection', { status: 'waiting', waitingFor: 'sound' }, { online: false }],
  ['Loading more of this chapter', { status: 'waiting', waitingFor: 'sound' }, {}],
  ['Loading next chapter', { status: 'waiting', waitingFor: 'chapter' }, { online: false }],
  ['Log in to hear this chapter', { status: 'waiting', waitingFor: 'chapter' }, { isUser: false }],
  ['Log in to hear this chapter', { status: 'paused' }, { isUser: false }],
  ['Playing elsewhere', { status: 'paused', wentElsewhere: true }, { here: true }],
  ['Sample', { title: aPlayable({ kind: 'sample' }) }, { isUser: false }],
  ['No sound yet', { title: aPlayable({ chapters: [] }) }, {}],
])('the state line is "%s" for %o with %o', (words, part, surroundings) => {
  expect(stateWords(state(part), { ...SURROUNDED, ...surroundings })).toBe(words)
})
