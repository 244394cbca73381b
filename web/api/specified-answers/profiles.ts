export type { UserCar as GarageCar } from '#contract/garage.ts';
