import { firstShelf } from '#features/shop-details/shop.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../menus/NavLink.tsx'

/** `name`: the title for certain paths (NAV-53). */
export function NotFound({ name, late }: { name?: string | undefined; late?: boolean | undefined }) {
  const shelf = firstShelf()
  return (
    <ErrorScreen
      title="Page not found"
      name={name}
      late={late}
      actions={
        <>
          <ShellButton to="/" look="beak">
            Home
          </ShellButton>
          <ShellButton to={shelf.to} search={{ page: 1, itemsPerPage: 12 }} look="text">
            {shelf.words}
          </ShellButton>
        </>
      }
    >
      <p>It may have moved, or it was never on our shelves. The books are where they always were.</p>
    </ErrorScreen>
  )
}

/** Paths whose not-found page has its own title (NAV-53): optional or removed screens. */
const NAMES: Readonly<Record<string, string>> = {
  '/payment': 'Payment',
  '/payment-problem': 'Payment problem',
  '/gift': 'Gift',
  '/free-trial': 'Free trial',
  '/xmas': 'Christmas',
  '/promo': 'Promo',
}

export const missingName = (path: string): string | undefined => NAMES[path.replace(/(?<=.)\/+$/, '')]
