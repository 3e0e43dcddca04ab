interface Given {
  readonly chapters: number
  readonly hasFile: boolean
  readonly hasSample: boolean
  readonly madeAfterPurchase: boolean
  /** Its owner answers for it. */
  readonly withoutFile: boolean
  readonly isDemo: boolean
}

/** True if a buyer gets something for their money; a title that nobody can deliver is not on sale. */
export const isDeliverable = ({
  chapters,
  hasFile,
  hasSample,
  madeAfterPurchase,
  withoutFile,
  isDemo,
}: Given): boolean => withoutFile || madeAfterPurchase || hasFile || chapters > 0 || (isDemo && hasSample)
