import { FloatingQuestion } from '#features/listening/TwoPlaces.tsx'
import { PaymentFailed } from '#features/membership/PaymentFailed.tsx'

/** The question is above the notice, because it can be answered at once. */
export const Floating = () => (
  <>
    <PaymentFailed />
    <FloatingQuestion />
  </>
)
