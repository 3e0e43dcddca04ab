import type Stripe from 'stripe'
import type { World } from '../world.ts'
import { Agenda } from './agenda.ts'

const LOOK_MS = 10_000

/** Advances test clocks and the sandbox's own clock, one at a time. */
export class Clocks {
  readonly #world: World
  readonly #agenda: Agenda
  #work: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(world: World) {
    this.#world = world
    this.#agenda = new Agenda(world.store)
  }

  /** Resumes clocks that were advancing when the process was killed, and starts the timer for real time. */
  start(): void {
    for (const clock of this.#world.store.all<Stripe.TestHelpers.TestClock>('test_clock')) {
      const target = clock.status_details.advancing?.target_frozen_time
      if (target !== undefined) void this.#next(() => this.#advance(clock.id, target))
    }
    this.#timer = setInterval(() => {
      void this.#next(() => this.#until(this.#world.clock.now()))
    }, LOOK_MS)
    this.#timer.unref()
  }

  nextOwn(): number | null {
    return this.#agenda.nextMoment(null)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#work
  }

  /** Advances the time of customers without a test clock. Resolves when all due actions have run. */
  async advanceOwn(seconds: number): Promise<void> {
    await this.#next(() => this.#until(this.#world.clock.now() + seconds))
  }

  /** Returns at once; the clock's status becomes `ready` later. Called within the request's transaction. */
  beginAdvance(clock: Stripe.TestHelpers.TestClock, target: number): Stripe.TestHelpers.TestClock {
    const { store, emit } = this.#world
    const advancing: Stripe.TestHelpers.TestClock = {
      ...clock,
      status: 'advancing',
      status_details: { advancing: { target_frozen_time: target } },
    }
    store.put('test_clock', advancing)
    emit('test_helpers.test_clock.advancing', advancing)
    setImmediate(() => void this.#next(() => this.#advance(clock.id, target)))
    return advancing
  }

  async #advance(id: string, target: number): Promise<void> {
    const { store, emit } = this.#world
    const clock = () => store.get<Stripe.TestHelpers.TestClock>('test_clock', id)!
    await this.#agenda.letHappen(this.#world, id, target, (moment) => {
      store.put('test_clock', { ...clock(), frozen_time: moment })
    })
    store.transaction(() => {
      const ready: Stripe.TestHelpers.TestClock = { ...clock(), status: 'ready', status_details: {} }
      store.put('test_clock', ready)
      emit('test_helpers.test_clock.ready', ready)
    })
  }

  async #until(target: number): Promise<void> {
    const { clock } = this.#world
    await this.#agenda.letHappen(this.#world, null, target, (moment) => clock.advance(moment - clock.now()))
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#work.then(async () => {
      if (!this.#closed) await work()
    })
    this.#work = done.catch((error: unknown) => console.error(error))
    return done
  }
}
