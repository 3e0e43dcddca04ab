import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'

/** The three dots of a menu with an outline: as fine as the other icons they are too faint for a button. */
export const MoreIcon = ({ size = 24 }: { size?: number }) => (
  <DotsThreeIcon
    size={size}
    stroke="currentColor"
    strokeWidth={10}
    aria-hidden="true"
    focusable="false"
    style={{ flex: 'none' }}
  />
)
