/** Each reason is a sentence for the owner. */
export class ImportRefused extends Error {
  readonly reasons: readonly string[]

  constructor(...reasons: readonly string[]) {
    super(reasons.join(' '))
    this.reasons = reasons
  }
}
