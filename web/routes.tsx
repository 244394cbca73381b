import { lazy, type ComponentType } from 'react';
import { Route, Switch } from 'wouter';

// Every page is a chunk of its own: a file in web/pages/ that exports a component named `Page`.
type PageModule = { Page: ComponentType };

const page = (load: () => Promise<PageModule>) => lazy(async () => ({ default: (await load()).Page }));

const Home = page(() => import('./pages/home.tsx'));
const Leaderboards = page(() => import('./pages/leaderboards.tsx'));
const Track = page(() => import('./pages/track.tsx'));
const Profile = page(() => import('./pages/profile.tsx'));
const EditProfile = page(() => import('./pages/edit-profile.tsx'));
const Upload = page(() => import('./pages/upload.tsx'));
const AddCar = page(() => import('./pages/add-car.tsx'));
const Login = page(() => import('./pages/login.tsx'));
const ImportTracks = page(() => import('./pages/import-tracks.tsx'));
const ApexImport = page(() => import('./pages/apex-import.tsx'));
const NotFound = page(() => import('./pages/not-found.tsx'));

/** Which page a path shows. Parameters are read in the page, with `useParams`. */
export function Routes() {
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/leaderboards" component={Leaderboards} />
      <Route path="/track/:trackId" component={Track} />
      <Route path="/profile" component={Profile} />
      <Route path="/profile/edit" component={EditProfile} />
      <Route path="/profile/:idOrName" component={Profile} />
      <Route path="/upload" component={Upload} />
      <Route path="/garage/add" component={AddCar} />
      <Route path="/login" component={Login} />
      <Route path="/admin/import-tracks" component={ImportTracks} />
      <Route path="/admin/apex-import" component={ApexImport} />
      <Route component={NotFound} />
    </Switch>
  );
}
