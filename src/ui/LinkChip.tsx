import { createLink } from '@tanstack/react-router'
import { AnchorChip } from './AnchorChip.tsx'

/** A chip that goes somewhere; takes what `<Link>` takes. */
export const LinkChip = createLink(AnchorChip)
