/** An ONIX element. Its accessors treat a missing, a single and a repeated child alike. */
export class OnixNode {
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  all(...path: readonly string[]): OnixNode[] {
    return path.reduce<OnixNode[]>(
      (nodes, name) =>
        nodes.flatMap((node) => {
          const below = node.#below[name]
          return (Array.isArray(below) ? below : below === undefined ? [] : [below]).map(
            (each) => new OnixNode(each),
          )
        }),
      [this],
    )
  }

  /** The text of the first element at this path, or an empty string. */
  text(...path: readonly string[]): string {
    return this.all(...path)[0]?.own ?? ''
  }

  get own(): string {
    const value = typeof this.#value === 'object' ? this.#below['#text'] : this.#value
    return typeof value === 'string' ? value.trim() : ''
  }

  attribute(name: string): string {
    const value = this.#below[`@${name}`]
    return typeof value === 'string' ? value : ''
  }

  get #below(): Record<string, unknown> {
    return typeof this.#value === 'object' && this.#value !== null
      ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked at above
        (this.#value as Record<string, unknown>)
      : {}
  }
}
