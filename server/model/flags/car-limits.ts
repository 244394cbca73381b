/** Holds the limits of a car, with a margin for wind, slopes, gearing and tuning. */
export type CarLimits = { gainedWattsPerKilogram: number; topSpeedMetersPerSecond: number };

/** Holds engine power per kilogram of car and driver, and top speed. Both are the manufacturer's figures, rounded up. */
type MakersFigures = readonly [wattsPerKilogram: number, topSpeedKmh: number];

// The keys are beginnings of model keys; the longest match counts. The list holds cars that are much slower than their class; the
// figures of the class suffice for all others.
const MODELS: Readonly<Record<string, MakersFigures>> = {
  'mazda-mx-5-na-1-6': [84, 188],
  'mazda-mx-5-na-1-8': [92, 197],
  'mazda-mx-5-nb-1-6': [76, 191],
  'mazda-mx-5-nb-1-8': [94, 210],
  'mazda-mx-5-nb-mazdaspeed': [108, 219],
  'mazda-mx-5-nc-1-8': [80, 197],
  'mazda-mx-5-nc-2-0': [98, 215],
  'mazda-mx-5-nd-1-5': [90, 204],
  'mazda-mx-5-nd-2-0': [122, 219],
  'mazda-mx-5-nd-rf': [116, 220],
  'mazda-mazda2': [65, 190],
  'mazda-rx-7-fb': [95, 210],
  'honda-civic-eg': [103, 215],
  'honda-civic-type-r-ek9': [120, 235],
  'honda-civic-type-r-ep3': [115, 235],
  'honda-civic-type-r-fn2': [108, 235],
  'honda-cr-x-ef': [105, 215],
  'honda-fit-jazz': [72, 185],
  'toyota-gt86': [115, 226],
  'toyota-gr86': [128, 226],
  'subaru-brz-zc6': [115, 226],
  'subaru-brz-zd8': [128, 226],
  'scion-fr-s': [115, 226],
  'toyota-mr2-aw11': [85, 205],
  'toyota-mr2-sw20-2-0': [96, 220],
  'toyota-mr2-spyder': [98, 210],
  'toyota-corolla-ae86': [94, 200],
  'toyota-celica': [112, 225],
  'volkswagen-golf-gti-mk1': [90, 187],
  'volkswagen-golf-gti-mk2': [98, 208],
  'volkswagen-golf-gti-mk4': [96, 222],
  'volkswagen-up-gti': [80, 196],
  'renault-clio-williams': [102, 215],
  'renault-clio-rs-ii-1': [116, 225],
  'peugeot-106': [86, 205],
  'peugeot-205': [97, 206],
  'peugeot-306': [97, 220],
  'citroen-saxo': [88, 205],
  'ford-fiesta-mk6': [91, 208],
  'lotus-elise-s1': [110, 202],
  'lotus-elise-s3-1-6': [106, 204],
  'caterham-seven-roadsport-classic': [125, 180],
  'caterham-seven-160': [105, 161],
  'caterham-seven-270': [165, 196],
  'mini-cooper-s-r53': [103, 226],
  'mini-cooper-s-r56': [104, 228],
  'mini-mini-classic': [80, 160],
  'abarth-500-595-695-312-595': [116, 225],
  'fiat-panda': [70, 185],
  'fiat-124-spider': [92, 217],
  'suzuki-swift-sport': [98, 210],
};

const CLASSES: Readonly<Record<string, MakersFigures>> = {
  EV: [330, 330],
  GT: [420, 350],
  'Hot Hatch': [250, 290],
  Hypercar: [750, 450],
  Lightweight: [420, 290],
  Muscle: [380, 340],
  'Race Car': [600, 350],
  'Rally AWD': [260, 290],
  Roadster: [260, 300],
  'Sports Coupe': [260, 300],
  Supercar: [480, 360],
  Touring: [380, 330],
};

/** No car at a track day exceeds these. */
const ANY_CAR: MakersFigures = [750, 450];

// A slope of 6 % adds 18 W/kg at 30 m/s.
const POWER_FACTOR = 1.25;
const SLOPE_WATTS_PER_KILOGRAM = 20;
const TOP_SPEED_FACTOR = 1.12;

/** Finds the limits of a car model, else those of its class, else those of any car. */
export function findCarLimits(modelKey: string | null, raceClass: string | null): CarLimits {
  const [watts, topSpeedKmh] = findModel(modelKey) ?? CLASSES[raceClass ?? ''] ?? ANY_CAR;
  return {
    gainedWattsPerKilogram: POWER_FACTOR * watts + SLOPE_WATTS_PER_KILOGRAM,
    topSpeedMetersPerSecond: (TOP_SPEED_FACTOR * topSpeedKmh) / 3.6,
  };
}

function findModel(modelKey: string | null): MakersFigures | undefined {
  const key = Object.keys(MODELS)
    .filter((beginning) => modelKey?.startsWith(beginning))
    .toSorted((a, b) => b.length - a.length)[0];
  return key === undefined ? undefined : MODELS[key];
}
