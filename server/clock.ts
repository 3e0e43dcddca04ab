/**
 * Business time: what memberships, gifts, orders and jobs live by. It is the machine's, until a demo's is moved on. Sessions,
 * limits, signed addresses and signatures stay on the machine's, `shop.now`.
 */
export class BusinessClock {
  readonly #machine: () => Date
  /** The distance from the machine's clock. */
  aheadMs = 0

  constructor(machine: () => Date) {
    this.#machine = machine
  }

  now(): Date {
    return new Date(this.#machine().getTime() + this.aheadMs)
  }
}
