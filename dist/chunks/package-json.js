var package_default={version:"0.1.0"};var VERSION=package_default.version;
export{VERSION};
