the script
