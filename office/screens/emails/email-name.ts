/** `order_confirmed` → `Order confirmed` */
export const emailName = (kind: string): string =>
  kind.slice(0, 1).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
