import { FloatingQuestion } from './FloatingQuestion.tsx'
import { PaymentFailed } from '../pop-ups/PaymentFailed.tsx'

/** The question above the notice: it can be answered at once. */
export const Floating = () => (
  <>
    <PaymentFailed />
    <FloatingQuestion />
  </>
)
