interface Given {
  readonly chapters: number
  readonly hasFile: boolean
  readonly hasSample: boolean
  readonly madeAfterPurchase: boolean
  /** The owner delivers the title without a file in the shop. */
  readonly withoutFile: boolean
  readonly isDemo: boolean
}

/** True if the buyer gets something. A title without anything to deliver is not on sale. */
export const isDeliverable = ({
  chapters,
  hasFile,
  hasSample,
  madeAfterPurchase,
  withoutFile,
  isDemo,
}: Given): boolean => withoutFile || madeAfterPurchase || hasFile || chapters > 0 || (isDemo && hasSample)
