/** An account of the embedded provider. The people are invented. */
export type LocalAccount = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  isAdministrator: boolean;
};

const account = (id: string, firstName: string, lastName: string, isAdministrator = false): LocalAccount => ({
  id,
  firstName,
  lastName,
  email: `${id}@pitboard.example`,
  isAdministrator,
});

/** Who can sign in without a provider. */
export const LOCAL_ACCOUNTS: readonly LocalAccount[] = [
  account('mara.lindqvist', 'Mara', 'Lindqvist', true),
  account('theo.okafor', 'Theo', 'Okafor'),
  account('priya.venkat', 'Priya', 'Venkat'),
  account('jonas.weidner', 'Jonas', 'Weidner'),
];
