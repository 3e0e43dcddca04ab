import { tabStorage } from '#storage/page-storage.ts'
import { useSession, type SessionState } from './store.ts'

/**
 * Everything that belongs to a person in a page, in the order in which it is opened. It is closed from the end: the sound
 * ends before the places that its last one is written to.
 */
export const BELONGINGS = [
  'answers',
  'places',
  'downloads',
  'ready',
  'player',
  'bag',
  'card',
  'gift',
  'checkout',
  'notices',
] as const
export type BelongingName = (typeof BELONGINGS)[number]

/** What of a person’s the tab keeps over a reload and the way to the bank: it goes with the person, loaded or not. */
export const TAB_KEYS = [
  'giftWish',
  'giftKey',
  'tillDraft',
  'pendingCheckout',
  'codeAgain',
  'planCodeAgain',
  'redemptionTyped',
  'redeemedCard',
  'withdraw',
] as const
export type TabKey = (typeof TAB_KEYS)[number]

export interface Belonging {
  /** Somebody is here, perhaps by a session that has ended by itself. */
  open?: (ownerUuid: string) => unknown
  /** The same person logged in again after their session had ended by itself. */
  resume?: (ownerUuid: string) => unknown
  /** Before a log-out, while there is still a token. It has three seconds. */
  leave?: () => unknown
  /** Somebody else is here, or nobody. Also called where nothing was opened in this page. */
  close: () => unknown
}

const PERSON = 'person'
const registered = new Map<BelongingName, Belonging>()
/** Whose things this tab has; survives a reload, since what the tab keeps does. */
let person: string | undefined
/** The listener for whom all was opened in this page. */
let opened: string | undefined
let closing: Promise<unknown> = Promise.resolve()

/**
 * Registers what belongs to whoever is here. Code that is loaded late registers as it is loaded, and is opened at once
 * where somebody is here.
 */
export function belongsToPerson(name: BelongingName, belonging: Belonging): void {
  registered.set(name, belonging)
  if (opened !== undefined) attempt(() => belonging.open?.(opened!))
}

/** Opens and closes what is registered as people come and go. Once, before the session is known; returns a stop. */
export function followPerson(): () => void {
  person = tabStorage.getItem(PERSON) ?? undefined
  const look = (now: SessionState, before: SessionState | undefined) => {
    if (!now.ready) return
    // A bookshop’s account opens nothing, but leaves what it typed.
    const next = now.owner?.uuid ?? now.user?.uuid
    if (next !== person) becomePerson(next)
    const owner = now.owner?.uuid
    if (!owner) return
    if (opened !== owner) open(owner)
    else if (now.status === 'user' && before?.status === 'ended')
      each((belonging) => belonging.resume?.(owner))
  }
  const stop = useSession.subscribe(look)
  look(useSession.getState(), undefined)
  return () => {
    stop()
    opened = undefined
  }
}

function open(ownerUuid: string) {
  opened = ownerUuid
  each((belonging) => belonging.open?.(ownerUuid))
}

function becomePerson(next: string | undefined) {
  const left = person
  person = next
  opened = undefined
  if (left !== undefined) {
    for (const key of TAB_KEYS) tabStorage.removeItem(key)
    closing = Promise.allSettled(eachFromTheEnd((belonging) => belonging.close()))
  }
  if (next === undefined) tabStorage.removeItem(PERSON)
  else tabStorage.setItem(PERSON, next)
}

/** Lets everything have its last word before a log-out. */
export const leavePerson = (): Promise<unknown> =>
  Promise.allSettled(eachFromTheEnd((belonging) => belonging.leave?.()))

/** Once all that was closed last is really gone, the worker’s copies too. */
export const personClosed = (): Promise<unknown> => closing

const inOrder = () => BELONGINGS.flatMap((name) => registered.get(name) ?? [])
const each = (work: (belonging: Belonging) => unknown) => inOrder().map((one) => attempt(() => work(one)))
const eachFromTheEnd = (work: (belonging: Belonging) => unknown) =>
  inOrder()
    .toReversed()
    .map((one) => attempt(() => work(one)))

/** One that fails keeps none of the others from being opened or closed. */
function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (failure) {
    reportError(failure)
    return undefined
  }
}
